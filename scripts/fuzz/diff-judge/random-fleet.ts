import type { Random } from '../random.ts'
import { type Edit, type FleetFiles, randomEdits } from './fleet-edits.ts'
import { FAR, randomFiles, type Targets } from './fleet-texts.ts'

/**
 * The packages that a repository has: nothing; those of FROM, in both states; or those of each state, as in a pull request that renders them.
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
  return { files, edits: withoutNamesBesides(files, edits), committed }
}

/**
 * Returns the edits without those that give a package another name by an override, unless one is the only edit: if something else changes the
 * same package too, `diff` may name only one of the two causes (docs/commands/diff.md, Causes). Such an edit is one of the override that has
 * `downstream.package`, or of the label that its condition reads.
 */
function withoutNamesBesides(files: FleetFiles, edits: readonly Edit[]): readonly Edit[] {
  const first = files.get('fleet/set.yaml')?.indexOf(FAR[0] ?? '') ?? -1
  if (first === -1) return edits
  const isOfName = (edit: Edit) => {
    if ('lines' in edit) return false
    if (edit.file !== 'fleet/set.yaml') return edit.before.some((line) => line.trim().startsWith('region: '))
    return edit.at < first + FAR.length && first < edit.at + edit.before.length
  }
  const others = edits.filter((edit) => !isOfName(edit))
  return others.length > 0 ? others : edits.slice(0, 1)
}

/** Returns true for two edits of one line, or of a file and a line of it. */
function meets(a: Edit, b: Edit): boolean {
  if (a.file !== b.file) return false
  if ('lines' in a || 'lines' in b) return true
  return a.at < b.at + b.before.length && b.at < a.at + a.before.length
}
