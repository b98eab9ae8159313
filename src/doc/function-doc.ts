/** The description of a function: the sections of its README and its metadata.yaml, in the order of the Go SDK's `--doc` (DocOutput). */
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

/** The description of a function without one. */
export const NO_DOC: FunctionDoc = {
  short: '',
  long: '',
  examples: '',
  image: '',
  description: '',
  tags: [],
  sourceURL: '',
  examplePackageURLs: [],
  license: '',
  hidden: false,
}

/**
 * Returns the answer of a program that does not read stdin: to `--help` a text for people (`kpt fn doc` prints it), to `--doc` JSON, to
 * `--version` the version.
 * `--help` goes before `--doc`, and any other argument is ignored, as in the Go SDK (go/fn/run.go AsMain).
 *
 * @param args  the arguments after the program's name
 * @returns undefined when none is asked for
 */
export function answerDoc(args: readonly string[], doc: FunctionDoc, version: string): string | undefined {
  if (args.includes('--help')) return `${doc.short}\n\n${doc.long}\n\nExamples:\n\n${doc.examples}\n`
  if (args.includes('--doc')) return `${JSON.stringify(doc, null, 2)}\n`
  if (args.includes('--version')) return `${version}\n`
  return undefined
}

/** Returns the note for a person who started a function at a terminal and has typed nothing yet. */
export function waitingNote({ image }: FunctionDoc): string {
  const name = image.slice(image.lastIndexOf('/') + 1)
  return `${name === '' ? 'the function' : name} waits for a ResourceList on stdin (Ctrl-D ends it, Ctrl-C leaves); --help says how to run it\n`
}
