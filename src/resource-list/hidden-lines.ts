import type { TextReading } from '../yaml/read/text-reading.ts'
import { wireLines } from './identity.ts'

/** What an item has in its list and not in its file. */
interface Hidden {
  /** Columns before each of its lines. */
  readonly columns: number
  /** Where the lines of the wire begin. */
  readonly lines: readonly number[]
}

const known = new WeakMap<TextReading, Hidden>()

/** Found once for each text: one with many findings is asked for many places. */
export function hiddenIn(reading: TextReading): Hidden {
  const found = known.get(reading)
  if (found !== undefined) return found
  const head = reading.head()
  const hidden = { columns: reading.columnOf(head.start), lines: wireLines(head) }
  known.set(reading, hidden)
  return hidden
}
