import type { Position } from '../result.ts'

/** The input is no ResourceList that can be worked on. Nothing may be written to stdout after it. */
export class WireError extends Error {
  readonly position: Position | undefined

  constructor(message: string, position?: Position) {
    super(position === undefined ? message : `${message} (line ${position.line}, column ${position.column})`)
    this.name = 'WireError'
    this.position = position
  }
}
