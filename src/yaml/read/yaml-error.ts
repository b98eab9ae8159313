/** A fault of the full parser: its reason, and the offset in the text. */
export class YamlError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'YamlError'
    this.offset = offset
  }
}
