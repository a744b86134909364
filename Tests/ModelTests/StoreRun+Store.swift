import Middleware
import SideEffects
import Store
import TestSupport

extension StoreRun {
  /// Makes the store of the program; each link, follower and reducer holds `probe`.
  func makeStore(probe: DeinitProbe) -> Store<Tally> {
    let links = (0..<program.linkCount).map { index in
      Middleware<Tally> { action, context, next in
        withExtendedLifetime(probe) { self.pass(action, link: index, context, next) }
      }
    }
    let items = program.followers.enumerated().map { index, follower in
      switch follower.kind {
      case .red: makeItem(index, on: Red.self, probe)
      case .green: makeItem(index, on: Green.self, probe)
      case .blue: makeItem(index, on: Blue.self, probe)
      case .unheard: makeItem(index, on: Unheard.self, probe)
      }
    }
    // Items have no place in the chain, so it makes no difference that they stand between links.
    let middleware =
      links.prefix(1) + [createMiddleware(items: items)] + links.dropFirst()
    return Store(
      initialState: Tally(),
      reducer: .combine(
        makeReducer(Red.self, probe), makeReducer(Green.self, probe), makeReducer(Blue.self, probe)
      ),
      middleware: Array(middleware),
      diagnostics: { [log] in log.record(.diagnosed("\($0)"), lane: 0) })
  }

  private func makeReducer<A: ModelAction>(_: A.Type, _ probe: DeinitProbe) -> Reducer<Tally> {
    // A reducer that is not pure: what it records is the order in which actions are reduced.
    .on(A.self) { [log] tally, action in
      withExtendedLifetime(probe) {
        log.record(.reduced(step: action.step.id, kind: action.kind), lane: action.step.id)
      }
      tally.add(action.step.id, kind: action.kind)
    }
  }

  private func pass(
    _ action: any Action, link index: Int, _ context: LinkContext<Tally>, _ next: Next<Tally>
  ) -> DispatchResult {
    guard let action = action as? any ModelAction else { return next(action) }
    let step = action.step
    let plan = step.plan(forLink: index)
    let place = Place(
      access: {
        Access(send: { context.dispatch($0) }, count: { context.state?.order.count })
      },
      store: { self.laterStore.value() }, kept: .next(next))
    log.record(
      .entered(link: index, step: step.id, dispatch: context.identity.number), lane: step.id)
    perform(plan.before, in: place)
    var result = DispatchResult.swallowed
    for kind in plan.decision.kinds(for: action.kind) {
      var count: Int?
      if plan.decision == .passReading {
        (result, count) = next(step.action(kind), reading: \.order.count)
      } else {
        result = next(step.action(kind))
      }
      log.record(
        .passed(link: index, step: step.id, commit: result.commit, count: count), lane: step.id)
    }
    perform(plan.after, in: place)
    log.record(.left(link: index, step: step.id), lane: step.id)
    return result
  }

  private func makeItem<A: ModelAction>(
    _ index: Int, on _: A.Type, _ probe: DeinitProbe
  ) -> StateItem<Tally> {
    guard program.followers[index].isEffect else {
      return .on(A.self, reading: \.order.count) { action, dispatch, count in
        withExtendedLifetime(probe) {
          let place = self.place(kept: .dispatch(dispatch), count: count) { dispatch($0) }
          self.follow(index, action.step, in: place)
        }
      }
    }
    return .effect(on: A.self, reading: \.order.count) { action, effect, count in
      let plan = action.step.plan(forFollower: index)
      var place = self.place(kept: nil, count: count) { effect.dispatch($0) }
      guard plan.suspends else {
        return withExtendedLifetime(probe) { self.follow(index, action.step, in: place) }
      }
      self.log.record(.followed(follower: index, step: action.step.id), lane: action.step.id)
      self.log.record(.followedEnded(follower: index, step: action.step.id), lane: action.step.id)
      await Task.yield()
      place.isFollowUp = false
      self.perform(plan.operations, in: place)
      self.log.record(.wentOn(follower: index, step: action.step.id), lane: action.step.id)
      withExtendedLifetime(probe) {}
    }
  }

  private func place(
    kept: Kept?, count: StateReader<Int>,
    send: @escaping @Sendable (any Action) -> DispatchHandle
  ) -> Place {
    Place(
      access: { Access(send: send, count: { count() }) }, store: { self.laterStore.value() },
      kept: kept, isFollowUp: true)
  }

  private func follow(_ index: Int, _ step: Step, in place: Place) {
    log.record(.followed(follower: index, step: step.id), lane: step.id)
    perform(step.plan(forFollower: index).operations, in: place)
    log.record(.followedEnded(follower: index, step: step.id), lane: step.id)
  }
}

extension DispatchResult {
  /// The number of the commit, if there was one.
  fileprivate var commit: UInt64? {
    switch self {
    case .reduced(let commit): commit
    case .swallowed: nil
    }
  }
}
