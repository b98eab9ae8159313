/** What a function says of itself: the sections of its README and its metadata.yaml, in the order of the Go SDK's `--doc` (DocOutput). */
export interface FunctionDoc {
  readonly short: string
  readonly long: string
  readonly examples: string
  /** Without a tag. */
  readonly image: string
  readonly description: string
  readonly tags: readonly string[]
  readonly sourceURL: string
  readonly examplePackageURLs: readonly string[]
  readonly license: string
  readonly hidden: boolean
}

/**
 * What a program answers instead of reading stdin: `--help` with text for people (`kpt fn doc` prints it), `--doc` with JSON.
 * `--help` goes before `--doc`, and any other argument is ignored, as in the Go SDK (go/fn/run.go AsMain).
 *
 * @param args  the arguments after the program's name
 * @returns undefined when neither is asked for
 */
export function answerDoc(args: readonly string[], doc: FunctionDoc): string | undefined {
  if (args.includes('--help')) return `${doc.short}\n\n${doc.long}\n\nExamples:\n\n${doc.examples}\n`
  if (args.includes('--doc')) return `${JSON.stringify(doc, null, 2)}\n`
  return undefined
}
