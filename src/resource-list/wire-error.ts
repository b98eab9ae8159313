import type { Position } from '../result.ts'

/** An error for input that is not a usable ResourceList. Nothing may be written to stdout after this error. */
export class WireError extends Error {
  readonly position: Position | undefined

  constructor(message: string, position?: Position) {
    super(position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`)
    this.name = 'WireError'
    this.position = position
  }
}
