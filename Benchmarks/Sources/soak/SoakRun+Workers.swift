import Foundation
import SideEffects
import Store

extension SoakRun {
  /// Lets all workers do their work at the same time.
  func work(on store: Store<SoakState>) async {
    await withTaskGroup { group in
      for worker in program.workers {
        group.addTask { [self] in
          if worker.isThread {
            await withCheckedContinuation { continuation in
              Thread {
                self.workAsThread(worker.operations, on: store)
                continuation.resume()
              }.start()
            }
          } else {
            await workAsTask(worker.operations, on: store)
          }
        }
      }
    }
  }

  /// What a worker has dispatched.
  private struct Sent {
    let id: Int
    let handle: DispatchHandle
  }

  private func workAsThread(_ operations: [Program.Operation], on store: Store<SoakState>) {
    var sent: [Sent] = []
    for operation in operations {
      switch operation {
      case .pause, .finish: Thread.sleep(forTimeInterval: 0.000_1)
      case let operation: perform(operation, on: store, sent: &sent)
      }
    }
  }

  private func workAsTask(_ operations: [Program.Operation], on store: Store<SoakState>) async {
    var sent: [Sent] = []
    for operation in operations {
      switch operation {
      case .pause: await Task.yield()
      case .finish(let back): await sent.dropLast(back).last?.handle.finish()
      case let operation: perform(operation, on: store, sent: &sent)
      }
    }
  }

  private func perform(
    _ operation: Program.Operation, on store: Store<SoakState>, sent: inout [Sent]
  ) {
    switch operation {
    case .dispatch(let effect, let key):
      let work = Work(id: nextID(), effect: effect, key: key, ancestors: [])
      sent.append(Sent(id: work.id, handle: store.dispatch(work)))
    case .cancel(let target): cancel(target, by: store.cancelEffects)
    case .cancelHandle(let back):
      guard let last = sent.dropLast(back).last else { return }
      tokens.silence(where: { $0.work.id == last.id || $0.work.ancestors.contains(last.id) }) {
        last.handle.cancel()
      }
    case .remove(let key): store.dispatch(Remove(key: key))
    case .signal: store.dispatch(Signal())
    case .inspect: _ = store.liveEffects().map(\.description)
    case .finish, .pause: return
    }
  }
}
