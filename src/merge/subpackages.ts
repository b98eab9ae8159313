import { compareText } from '../field-path.ts'
import { equalJson, memberOf } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { isContextFile, isUnedited } from './edited-files.ts'
import { untouched } from './merge-file.ts'
import { type EditedFile, type MergedFile, type MergeOutcome, wholeOutcome } from './merged-package.ts'
import { objectsIn, type PackageContent, type PackageFiles, type Packages, type ThreeWay } from './package-files.ts'
import { isSameContent } from './same-content.ts'

/**
 * The treatment of a whole subpackage: its files are merged one by one, left as the downstream has them, or removed. Of a subpackage that
 * upstream made a folder of the package around it, the Kptfile and the package context are removed (`folder`), or left if people changed
 * them (`edited-folder`); all other files are merged.
 */
export interface SubpackageFate {
  readonly folder: string
  readonly fate: 'merged' | 'left' | 'removed' | 'folder' | 'edited-folder'
  readonly outcomes: readonly MergeOutcome[]
  readonly results: readonly Result[]
}

/** Returns the fates of all sides' subpackages, by folder. Subpackages below one that is not merged are left out. */
export function subpackageFates(packages: Packages): ReadonlyMap<string, SubpackageFate> {
  const paths = pathsBelow(packages)
  const fates = new Map<string, SubpackageFate>()
  for (const folder of [...paths.keys()].sort(compareText)) {
    const above = fateAbove(fates, folder)
    if (above === undefined || !isWhole(above)) fates.set(folder, fateOf(packages, folder, paths.get(folder) ?? new Set()))
  }
  return fates
}

/** Returns true if no file below the subpackage is merged. */
function isWhole({ fate }: SubpackageFate): boolean {
  return fate === 'left' || fate === 'removed'
}

/** Returns a file below a subpackage that is not merged, as the downstream has it or without content; undefined for any other file. */
export function settledFile(
  path: string,
  { theirs, ours }: ThreeWay<PackageContent>,
  at: SubpackageFate | undefined,
): MergedFile | undefined {
  if (at === undefined || at.fate === 'merged') return undefined
  if (!isWhole(at) && (!isOwnFile(path, at.folder) || theirs !== undefined)) return undefined
  return untouched(path, at.fate === 'left' || at.fate === 'edited-folder' ? ours : undefined)
}

/** Returns the fate of the nearest subpackage above a file or folder; undefined if there is none. */
export function fateAbove(fates: ReadonlyMap<string, SubpackageFate>, path: string): SubpackageFate | undefined {
  let folder = folderOf(path)
  while (folder !== '' && !fates.has(folder)) folder = folderOf(folder)
  return fates.get(folder)
}

/** Returns every file below each subpackage, including the files of nested subpackages. */
function pathsBelow({ base, theirs, ours }: Packages): ReadonlyMap<string, ReadonlySet<string>> {
  const all = [...base.keys(), ...theirs.keys(), ...ours.keys()]
  const below = new Map(all.filter((path) => path.endsWith(`/${KPTFILE}`)).map((path) => [folderOf(path), new Set<string>()]))
  for (const path of below.size === 0 ? [] : all) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) below.get(folder)?.add(path)
  }
  return below
}

/**
 * Returns the fate of a subpackage: one that the downstream deleted stays deleted; one that upstream deleted is removed unless the
 * downstream changed it; one whose own upstream people changed is left alone (kpt pkg/lib/update/resource-merge.go Update,
 * updatePackage). What a clone writes, as the package context, is no change.
 */
function fateOf(packages: Packages, folder: string, paths: ReadonlySet<string>): SubpackageFate {
  const kptfile = kptfilesAt(packages, folder)
  const inTheirs = [...paths].some((path) => packages.theirs.has(path))
  const fate = (of: SubpackageFate['fate'], outcome?: Pick<MergeOutcome, 'result' | 'contested' | 'edited'>): SubpackageFate => {
    const [ours, theirs] = [kptfile.ours, kptfile.theirs]
    const sides = [
      { object: ours, exists: ours !== undefined },
      { object: theirs, exists: inTheirs },
    ] as const
    return { folder, fate: of, outcomes: outcome === undefined ? [] : [wholeOutcome({ ...outcome, path: folder }, ...sides)], results: [] }
  }
  const differs = (a: keyof Packages, b: keyof Packages) => isDifferent(paths, packages[a], packages[b])
  if (kptfile.base === undefined) return { ...fate('merged'), results: differs('theirs', 'ours') ? addedTwice(folder, kptfile) : [] }
  if (kptfile.ours === undefined) return fate('left', inTheirs && differs('theirs', 'base') ? KEPT_APART : undefined)
  if (hasUpstreamOfItsOwn(kptfile)) return fate('left', passedOver(packages, paths))
  if (kptfile.theirs !== undefined) return fate('merged')
  const going = inTheirs ? [...paths].filter((path) => isOwnFile(path, folder)) : [...paths]
  const edited = going.filter((path) => isEdited(path, packages)).sort(compareText)
  if (edited.length > 0) {
    return fate(inTheirs ? 'edited-folder' : 'left', { ...KEPT_APART, edited: edited.map((path) => editedFile(path, packages)) })
  }
  return fate(inTheirs ? 'folder' : 'removed', { result: 'taken', contested: false })
}

function isDifferent(paths: ReadonlySet<string>, a: PackageFiles, b: PackageFiles): boolean {
  return [...paths].some((path) => !isSameContent(a.get(path), b.get(path)))
}

/** Returns the outcome of a subpackage that upstream changed or removed, and not to what the downstream has; undefined for another one. */
function passedOver({ base, theirs, ours }: Packages, paths: ReadonlySet<string>) {
  return isDifferent(paths, theirs, base) && isDifferent(paths, theirs, ours) ? KEPT_APART : undefined
}

function isEdited(path: string, { base, ours }: Packages): boolean {
  return !isUnedited(path, base.get(path), ours.get(path))
}

function editedFile(path: string, { base, ours }: Packages): EditedFile {
  const [before, now] = [base.get(path), ours.get(path)]
  const known = objectsIn(before)
  const object = objectsIn(now).find((each, at) => !isSameContent(known.slice(at, at + 1), [each]))
  // The clone adds the package context, which base lacks.
  const isAdded = before === undefined && !isContextFile(path)
  return { path, edit: isAdded ? 'added' : now === undefined ? 'deleted' : 'changed', object }
}

const KEPT_APART = { result: 'kept', contested: true } as const

/** Returns true for the Kptfile and the package context of a subpackage, which make the folder a package. */
function isOwnFile(path: string, folder: string): boolean {
  return folderOf(path) === folder && (isKptfile(path) || isContextFile(path))
}

function kptfilesAt({ base, theirs, ours }: Packages, folder: string): ThreeWay<KrmObject> {
  const path = `${folder}/${KPTFILE}`
  return {
    base: objectsIn(base.get(path))[0],
    theirs: objectsIn(theirs.get(path))[0],
    ours: objectsIn(ours.get(path))[0],
  }
}

function hasUpstreamOfItsOwn({ base, ours }: ThreeWay<KrmObject>): boolean {
  const [before, now] = [base, ours].map((kptfile) => memberOf(kptfile?.get(['upstream']), 'git'))
  return now !== undefined && !equalJson(before, now)
}

/** Returns the error about a subpackage that both sides added. */
function addedTwice(folder: string, { theirs, ours }: ThreeWay<KrmObject>): readonly Result[] {
  if (theirs === undefined || ours === undefined) return []
  const found: Result = {
    severity: 'error',
    message: `\`${folder}\` must not be a package of the downstream and one that upstream adds, ${quoteText(folder)} exists on both sides`,
    file: ours.file ?? { path: `${folder}/${KPTFILE}`, index: 0 },
    tags: { rule: 'package-added-twice' },
  }
  return [found]
}
