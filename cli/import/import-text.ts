import type { RevisionChange } from '../../src/diff/package-changes.ts'
import type { NewerRevision } from '../../src/fleet/releases/newer-revisions.ts'
import { mayHoldResources, objectsOf, readResources } from '../../src/folder/read-whole-package.ts'
import type { RevisionFiles } from '../../src/intake/next-revision.ts'
import { printable } from '../../src/printable.ts'
import { countOf, inLine } from '../../src/wording.ts'
import { fateOfObjects, nameObjects, shownField } from '../diff/diff-wording.ts'
import type { Styles } from '../print/styles.ts'

/** Returns what the files of a revision hold. */
export function readRevisionFiles(files: ReadonlyMap<string, string | Uint8Array>): RevisionFiles {
  return new Map(
    [...files].map(([path, text]) => {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const layout = mayHoldResources(path) ? readResources(path, bytes).layout : undefined
      return [path, layout === undefined ? bytes : objectsOf(layout)] as const
    }),
  )
}

/** Returns the changes of objects between two revisions, with what may go wrong. */
export function changesText(changes: readonly RevisionChange[], last: string, styles: Styles): string {
  if (changes.length === 0) return `no object differs from ${printable(inLine(last))}\n`
  const counted = changes.filter(({ dangers }) => dangers.length > 0).length
  const head = `${countOf(changes.length, 'object')} ${changes.length === 1 ? 'differs' : 'differ'} from ${inLine(last)}${counted === 0 ? '' : `, ${countOf(counted, 'dangerous change')}`}`
  return `${styles.strong(printable(head))}\n${changes.map((change) => changeText(change, styles)).join('')}`
}

function changeText(change: RevisionChange, styles: Styles): string {
  const { fields, dangers, op } = change
  const sign = dangers.length === 0 ? '' : `${styles.error('!')} `
  const fate = fateOfObjects(change)
  const shown = op === 'rename' ? fields.filter(({ path }) => path !== 'metadata.name') : fields
  return [
    `  ${sign}${printable(nameObjects(change))}${fate === '' ? '' : ` ${printable(fate)}`}\n`,
    ...shown.map((field) => `      ${styles.changed(printable(shownField(field)))}\n`),
    ...dangers.map(
      ({ rule, text, path }) => `      ${styles.error(`! ${path === undefined ? '' : `${printable(path)}: `}${text}`)} [${rule}]\n`,
    ),
  ].join('')
}

/** Returns the sets whose upstream may be raised to the new revision. */
export function raisableText(newer: readonly NewerRevision[]): string {
  if (newer.length === 0) return ''
  const lines = newer.map(({ set, ring, from, to, variants }) => {
    const where = ring === undefined ? '' : `, ring ${ring.name}`
    return `  ${printable(`${set.owner.name}${where}: ${from} → ${to}, ${countOf(variants.length, 'package')}`)}\n`
  })
  return `These sets may be raised, with krm-variants outdated --write:\n${lines.join('')}`
}
