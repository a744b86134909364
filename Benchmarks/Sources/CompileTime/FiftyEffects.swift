import Middleware
import SideEffects
import Store

/// Fifty effects in one expression, for the type checker.
let manyEffects: [MiddlewareItem] = [
  .effect(on: Step.self, .latest, name: "effect1") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect2") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect3") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect4") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect5") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect6") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect7") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect8") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect9") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect10") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect11") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect12") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect13") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect14") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect15") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect16") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect17") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect18") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect19") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect20") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect21") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect22") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect23") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect24") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect25") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect26") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect27") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect28") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect29") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect30") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect31") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect32") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect33") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect34") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect35") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect36") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect37") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect38") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect39") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect40") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect41") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect42") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect43") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect44") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect45") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect46") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect47") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect48") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect49") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
  .effect(on: Step.self, .latest, name: "effect50") { _, effect in
    await Task.yield()
    effect.dispatch(Step())
  },
]
