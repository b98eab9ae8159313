import type { TextReading } from '../yaml/read/text-reading.ts'
import { wireLines } from './identity.ts'

/** Lines and columns that an item has in its list but not in its file. */
interface Hidden {
  /** Number of columns to subtract from each line. */
  readonly columns: number
  /** Offsets of the lines of the orchestrator's annotations. */
  readonly lines: readonly number[]
}

const known = new WeakMap<TextReading, Hidden>()

/** Returns the hidden lines and columns of a text. Computed once for each text, because a text with many findings needs many positions. */
export function hiddenIn(reading: TextReading): Hidden {
  const found = known.get(reading)
  if (found !== undefined) return found
  const head = reading.head()
  const hidden = { columns: reading.columnOf(head.start), lines: wireLines(head) }
  known.set(reading, hidden)
  return hidden
}
