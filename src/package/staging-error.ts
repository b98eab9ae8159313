/** A file change that the operating system refused; the cause is its error. */
export class StagingError extends Error {
  /** The file or folder. */
  readonly place: string
  /** True if other changes were made before: the next run makes the rest. */
  readonly isPartial: boolean

  constructor(place: string, { cause, isPartial }: { readonly cause: unknown; readonly isPartial: boolean }) {
    super(`cannot write ${place}`, { cause })
    this.name = 'StagingError'
    this.place = place
    this.isPartial = isPartial
  }
}
