import Store

/// An action of a program, whose type says its kind.
protocol ModelAction: Action {
  var step: Step { get }
}

struct Red: ModelAction { let step: Step }
struct Green: ModelAction { let step: Step }
struct Blue: ModelAction { let step: Step }
struct Unheard: ModelAction { let step: Step }

extension Step {
  /// The action that carries this, of the type of a kind.
  func action(_ kind: Kind) -> any ModelAction {
    switch kind {
    case .red: Red(step: self)
    case .green: Green(step: self)
    case .blue: Blue(step: self)
    case .unheard: Unheard(step: self)
    }
  }
}

extension ModelAction {
  var kind: Kind {
    switch self {
    case is Red: .red
    case is Green: .green
    case is Blue: .blue
    default: .unheard
    }
  }
}
