import { compareText } from '../field-path.ts'
import { equalJson, memberOf } from '../json.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { isUneditedKptfile } from './edited-files.ts'
import { type MergeOutcome, wholeOutcome } from './merged-package.ts'
import { objectsIn, type Packages, type ThreeWay } from './package-files.ts'
import { isSameContent } from './same-content.ts'

/** The treatment of a whole subpackage: its files are merged one by one, left as the downstream has them, or removed. */
export interface SubpackageFate {
  readonly folder: string
  readonly fate: 'merged' | 'left' | 'removed'
  readonly outcomes: readonly MergeOutcome[]
  readonly results: readonly Result[]
}

/** Returns the fates of all sides' subpackages, by folder. Subpackages below one that is not merged are left out. */
export function subpackageFates(packages: Packages): ReadonlyMap<string, SubpackageFate> {
  const paths = pathsBelow(packages)
  const fates = new Map<string, SubpackageFate>()
  for (const folder of [...paths.keys()].sort(compareText)) {
    const above = fateAbove(fates, folder)
    if (above === undefined || above.fate === 'merged') fates.set(folder, fateOf(packages, folder, paths.get(folder) ?? new Set()))
  }
  return fates
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
 * updatePackage).
 */
function fateOf(packages: Packages, folder: string, paths: ReadonlySet<string>): SubpackageFate {
  const kptfile = kptfilesAt(packages, folder)
  const whole = (side: keyof Packages) => ({ object: kptfile[side], exists: kptfile[side] !== undefined })
  const outcomeOf = (outcome: Pick<MergeOutcome, 'result' | 'contested'>): readonly MergeOutcome[] => [
    wholeOutcome({ ...outcome, path: folder }, whole('ours'), whole('theirs')),
  ]
  const keptApart = { result: 'kept', contested: true } as const
  const differs = (a: keyof Packages, b: keyof Packages) =>
    [...paths].some((path) => !isSameContent(packages[a].get(path), packages[b].get(path)))
  const none = { outcomes: [], results: [] }
  if (kptfile.base === undefined) {
    const isTwice = kptfile.theirs !== undefined && kptfile.ours !== undefined && differs('theirs', 'ours')
    return { folder, fate: 'merged', ...none, results: isTwice ? [addedTwice(folder, kptfile.ours)] : [] }
  }
  if (kptfile.ours === undefined) {
    const passedOver = kptfile.theirs !== undefined && differs('theirs', 'base')
    return { folder, fate: 'left', ...none, outcomes: passedOver ? outcomeOf(keptApart) : [] }
  }
  if (kptfile.theirs === undefined) {
    const isChanged = [...paths].some((path) => !isLeftAlone(path, packages))
    return {
      folder,
      fate: isChanged ? 'left' : 'removed',
      ...none,
      outcomes: isChanged ? outcomeOf(keptApart) : outcomeOf({ result: 'taken', contested: false }),
    }
  }
  return { folder, fate: hasUpstreamOfItsOwn(kptfile) ? 'left' : 'merged', ...none }
}

/** Returns true if the downstream did not change a file of base. */
function isLeftAlone(path: string, { base, ours }: Packages): boolean {
  const isSame = isKptfile(path) ? isUneditedKptfile : isSameContent
  return base.has(path) === ours.has(path) && isSame(base.get(path), ours.get(path))
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

function addedTwice(folder: string, kptfile: KrmObject | undefined): Result {
  return {
    severity: 'error',
    message: `\`${folder}\` must not be a package of the downstream and one that upstream adds, ${quoteText(folder)} exists on both sides`,
    file: kptfile?.file ?? { path: `${folder}/${KPTFILE}`, index: 0 },
    tags: { rule: 'package-added-twice' },
  }
}
