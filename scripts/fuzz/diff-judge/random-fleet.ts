import type { FleetFiles } from '../../../testdata/diff/fleet-state.ts'
import type { Random } from '../random.ts'
import { type Edit, randomEdits } from './fleet-edits.ts'
import { randomFiles, type Targets } from './fleet-texts.ts'

/**
 * The packages that a repository has: nothing; those of FROM, in both states; or those of each state, as in a pull request that renders
 * them.
 */
export type Committed = 'nothing' | 'before' | 'both'

/** A fleet, and the edits that a pull request makes in it. */
export interface RandomChange {
  readonly files: FleetFiles
  readonly edits: readonly Edit[]
  readonly committed: Committed
}

/** Returns a fleet with from 1 to 4 changes, most of which are one edit. */
export function randomChange(random: Random): RandomChange {
  const targets = random.pick<Targets>(['objects', 'objects', 'two-lists', 'listed', 'matrix', 'matrix', 'revision-set'])
  const committed = random.pick<Committed>(['nothing', 'nothing', 'before', 'both'])
  const files: FleetFiles = new Map(randomFiles(random, targets))
  const edits: Edit[] = []
  const count = 1 + random.below(4)
  for (let tries = 0; edits.length < count && tries < 50; tries++) {
    const found = randomEdits(random, files, targets)
    if (!found.some((edit) => edits.some((each) => meets(each, edit)))) edits.push(...found)
  }
  return { files, edits, committed }
}

/** Returns true for two edits of one line, or of a file and a line of it. */
function meets(a: Edit, b: Edit): boolean {
  if (a.file !== b.file) return false
  if ('lines' in a || 'lines' in b) return true
  return a.at < b.at + b.before.length && b.at < a.at + a.before.length
}
