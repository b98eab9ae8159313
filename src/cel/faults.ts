/** One finding of the compiler: its place as an offset (undefined: the expression as a whole) and its words. */
export interface Fault {
  readonly offset: number | undefined
  readonly message: string
}

/** Findings that end compilation. */
export class Faults extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => fault.message).join('\n'))
    this.faults = faults
  }
}
