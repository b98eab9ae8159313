/** Something in the way that its message explains in one line: a folder that is not there, a revision that git does not know. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
