import { readPackageFile } from '../folder/read-package-file.ts'
import { fileInMemory, type WholeFile, type WholeFolder } from '../folder/whole-folder.ts'
import { readKptfileUpstream } from '../kinds/kptfile-upstream.ts'
import { objectsIn, type PackageFiles } from '../merge/package-files.ts'
import { isCarried } from '../render/package/subpackage-revisions.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import { bareFolder } from '../upstream/origin.ts'
import { lineIn } from './causes/object-places.ts'
import type { PackageStep } from './fleet-state.ts'
import type { ChangeCause } from './report.ts'
import { shortChange } from './short-value.ts'

/** A subpackage whose Kptfile asks for another revision of the upstream of its own. */
export interface RaisedSubpackage {
  readonly type: 'subpackage'
  /** The folder in the package. */
  readonly folder: string
  readonly before: KrmObject
  readonly after: KrmObject
}

/** The committed package in both states. */
interface PackageFolders {
  readonly before: WholeFolder
  readonly after: WholeFolder
}

/**
 * Returns the inputs of a package that was edited: the edit, and the other revisions that its subpackages ask for.
 *
 * @param shown  the folder of all packages in TO, for the lines of causes
 */
export function editInputs(folders: PackageFolders | undefined, to: PackageStep | undefined, shown: string) {
  const raised = folders && to ? raisedSubpackages(folders, to.upstream.source.files, `${shown}/${to.folder}`) : []
  return [...raised, { type: 'edit' } as const]
}

/**
 * Returns the subpackages of a package that ask for another revision. One that comes with the upstream of the package changes as that does.
 */
function raisedSubpackages({ before, after }: PackageFolders, upstream: PackageFiles, place: string): readonly RaisedSubpackage[] {
  return [...after.files].flatMap(([path, file]) => {
    const old = before.files.get(path)
    if (old === undefined || path === KPTFILE || !isKptfile(path)) return []
    const [was, is] = [kptfileIn(old, path), kptfileIn(file, `${place}/${path}`)]
    if (was === undefined || is === undefined || isCarried(is, folderOf(path), upstream)) return []
    const [from, to] = [was, is].map((kptfile) => readKptfileUpstream(kptfile).value.upstream)
    const isRaised = from !== undefined && to !== undefined && (['repo', 'directory', 'ref'] as const).some((key) => from[key] !== to[key])
    return isRaised ? [{ type: 'subpackage', folder: folderOf(path), before: was, after: is }] : []
  })
}

/** Returns a package in which some subpackages ask for other revisions than before. */
export function withUpstreams(
  folder: WholeFolder,
  asking: readonly { readonly folder: string; readonly kptfile: KrmObject }[],
): WholeFolder {
  const files = new Map(folder.files)
  for (const { folder: inner, kptfile } of asking) {
    const path = `${inner}/${KPTFILE}`
    const file = files.get(path)
    const draft = file && kptfileIn(file, path)?.draft()
    if (file === undefined || draft === undefined) continue
    draft.copy(['upstream'], kptfile)
    files.set(path, fileInMemory(Buffer.from(draft.toText()), file.mode))
  }
  return { ...folder, files }
}

/** Returns the Kptfile in a file with one document; undefined for any other file. */
export function kptfileIn(file: WholeFile, path: string): KrmObject | undefined {
  const documents = readPackageFile(path, file.read()).file?.documents ?? []
  const [object, ...others] = objectsIn(documents.flatMap((document) => document.object ?? []))
  return others.length === 0 && documents.length === 1 ? object : undefined
}

/**
 * Returns the cause of a change that came with another revision of a subpackage. The line is an input: it is another one in each package.
 */
export function causeOfSubpackage({ folder, before, after }: RaisedSubpackage): ChangeCause {
  const [was, is] = [before, after].map((kptfile) => readKptfileUpstream(kptfile).value.upstream)
  const [old, present] = [was, is].map((upstream) => `${upstream?.repo ?? ''}/${bareFolder(upstream?.directory ?? '')}`)
  const revisions = shortChange(was?.ref, is?.ref)
  const text = `subpackage ${folder}: ${old === present ? `${old} ${revisions}` : `${old} ${was?.ref ?? ''} → ${present} ${is?.ref ?? ''}`}`
  const path = ['upstream', 'git', ...(was?.ref === is?.ref ? [] : ['ref'])]
  return {
    kind: 'upstream',
    text,
    inputs: [{ text: `${path.join('.')}${was?.ref === is?.ref ? '' : `: ${revisions}`}`, ...lineIn(after, path) }],
  }
}
