import Services
import Testing

@testable import postsctl

@Suite(.timeLimit(.minutes(5))) struct `The tool` {
  private let full = OutputError.refused(reason: "no space is left on the device")

  @Test func `P5: with standard output closed nothing is asked of the service`() async {
    let service = FakeDataService()

    let run = await TestRun(
      "create-post", "--title", "T", "--body", "B", service: service,
      standardOutput: TestOutput(refusal: full))

    #expect(run.ending == .exit(.outputFailed))
    #expect(service.calls.isEmpty)
    #expect(
      run.errorOutput == """
        postsctl: cannot write the result: no space is left on the device. Nothing was done. \
        Send the output to a file or a pipe that can be written to.

        """)
  }

  @Test func `P5: a post that cannot be printed is reported as created`() async {
    let run = await TestRun(
      "create-post", "--title", "T", "--body", "B",
      standardOutput: TestOutput(refusal: full, failsLate: true))

    #expect(run.ending == .exit(.outputFailed))
    #expect(
      run.errorOutput == """
        postsctl: cannot write the result: no space is left on the device. The post was created, \
        with ID 1: do not create it again. Send the output to a file or a pipe that can be \
        written to.

        """)
  }

  @Test func `P3: what there is to know about a service stands on standard error, made safe`() async
  {
    let run = await TestRun("fetch-posts", "--output", "json", notice: "created a\u{1B}b")

    #expect(run.ending == .exit(.ok))
    #expect(run.output == "[]\n")
    #expect(run.errorOutput == "postsctl: created a␛b\n")
  }

  @Test(arguments: ["--help", "--version", "fetch-posts"])
  func `P4: text that cannot be written is a failure`(argument: String) async {
    let run = await TestRun(
      argument, standardOutput: TestOutput(refusal: full, failsLate: true))

    #expect(run.ending == .exit(.outputFailed))
  }

  @Test func `P4: a reader who went away is no failure to talk about`() async {
    let run = await TestRun(
      "fetch-posts", standardOutput: TestOutput(refusal: .brokenPipe, failsLate: true))

    #expect(run.ending == .brokenPipe)
    #expect(run.errorOutput.isEmpty)
  }

  @Test func `P6: an argument is made safe before it is shown`() async {
    let run = await TestRun("\u{1B}[2J\u{202E}")

    #expect(
      run.errorOutput == """
        postsctl: unknown command '␛[2J\\u{202E}'.
        See 'postsctl --help'.

        """)
  }
}
