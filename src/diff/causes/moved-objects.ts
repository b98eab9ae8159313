import { asList } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { foldersAbove, joinPath, KPTFILE } from '../../resource-list/package-of.ts'
import type { ObjectPair } from '../package-objects.ts'
import type { CauseInput } from '../report.ts'
import type { EditedPackage, PackageText } from './edited-setters.ts'
import { lineIn } from './object-places.ts'

/** The text of the cause of a change that an object got when a person moved its file to another subpackage, whose functions are others. */
export const MOVED = 'moved to another subpackage in the package'

/**
 * Returns the line of an object that a person moved to a subpackage with other functions; undefined for an object that stays, or whose
 * functions are the same in both places: each difference of such an object is written by people.
 *
 * @example  `a/web.yaml → b/web.yaml`, with set-labels in the Kptfile of `b`
 */
export function moveOf({ before, after }: ObjectPair, { before: was, after: is }: EditedPackage): CauseInput | undefined {
  const [from, to] = [pathIn(was, before), pathIn(is, after)]
  if (after === undefined || from === undefined || to === undefined) return undefined
  const [old, present] = [packagesAround(was, from), packagesAround(is, to)]
  if (old.join() === present.join() || ![...old.map(within(was)), ...present.map(within(is))].some(hasFunctions)) return undefined
  return { text: `${from} → ${to}`, ...lineIn(after, []) }
}

/** Returns the path of the file of an object in its package. */
function pathIn({ paths }: PackageText, object: KrmObject | undefined): string | undefined {
  const { path = '' } = object?.file ?? {}
  return paths.filter((each) => path === each || path.endsWith(`/${each}`)).sort((a, b) => b.length - a.length)[0]
}

/** Returns the folders of the subpackages that hold a file. */
function packagesAround({ paths }: PackageText, path: string): readonly string[] {
  return foldersAbove(path).filter((folder) => folder !== '' && paths.includes(joinPath(folder, KPTFILE)))
}

function within(text: PackageText): (folder: string) => KrmObject | undefined {
  return (folder) => text.objectsAt(joinPath(folder, KPTFILE))[0]
}

function hasFunctions(kptfile: KrmObject | undefined): boolean {
  return (['mutators', 'validators'] as const).some((stage) => asList(kptfile?.get(['pipeline', stage])).length > 0)
}
