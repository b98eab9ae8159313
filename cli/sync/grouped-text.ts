import { groupBy } from '../../src/group-by.ts'
import { printable } from '../../src/printable.ts'
import { countOf, nameFirst } from '../../src/wording.ts'
import { type FileInView, type FolderView, folderText } from '../folder-view.ts'
import { signed } from '../print/signs.ts'
import type { Styles } from '../print/styles.ts'

/** The package and the cluster of a sync object. */
export interface SyncPlace {
  readonly packageName: string | undefined
  readonly repository: string
}

/** The most files with equal changes that have lines of their own. */
const MOST_ALONE = 3

/** The most names of objects in a line of a group. */
const MOST_NAMES = 4

/**
 * Returns the changes of sync objects for a terminal: a line for equal changes of one package, with the number of clusters. Diffs are shown
 * file by file.
 *
 * @param places  the package and the cluster of each object, by `KIND NAMESPACE/NAME`
 */
export function groupedText(view: FolderView, places: ReadonlyMap<string, SyncPlace>, styles: Styles): string {
  const equal = groupBy(view.files, (file) => changeOf(file, places))
  const isAlone = (file: FileInView): boolean => {
    const change = changeOf(file, places)
    return change === undefined || file.diff !== undefined || (equal.get(change)?.length ?? 0) <= MOST_ALONE
  }
  const groups = groupBy(view.files, (file) => (isAlone(file) ? file : changeOf(file, places)))
  const texts = [...groups.values()].map((files) =>
    isAlone(files[0]) ? folderText({ ...view, files }, styles) : groupText(files, places, styles),
  )
  return texts.filter((text) => text !== '').join('\n')
}

/** Returns a text that equal changes share; undefined for a file with several objects. */
function changeOf({ op, path, objects }: FileInView, places: ReadonlyMap<string, SyncPlace>): string | undefined {
  const [object, ...others] = objects
  if (object === undefined || others.length > 0) return undefined
  const [kind = ''] = object.name.split(' ')
  return [op, object.op, kind, places.get(object.name)?.packageName ?? '', path.replace(/[^/]*$/, '')].join('\n')
}

function groupText(files: readonly FileInView[], places: ReadonlyMap<string, SyncPlace>, styles: Styles): string {
  const names = files.flatMap(({ objects }) => objects.map(({ name }) => name))
  const [{ op, path }] = [files[0] ?? { op: 'update' as const, path: '' }]
  const [kind = ''] = (names[0] ?? '').split(' ')
  const found = names.flatMap((name) => places.get(name) ?? [])
  const clusters = new Set(found.map(({ repository }) => repository)).size
  const what = found[0]?.packageName === undefined ? '' : ` of ${found[0].packageName}`
  const where = clusters === 0 ? '' : ` in ${countOf(clusters, 'cluster')}`
  const line = `${countOf(files.length, kind)}${what}${where}, ${path.replace(/[^/]*$/, '')}`
  return `${signed(op, printable(line), styles)}\n    ${printable(nameFirst(names, MOST_NAMES, (name) => name.replace(/^\S+ /, '')))}\n`
}
