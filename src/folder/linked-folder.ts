import { closeSync, type Dirent, openSync, readdirSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { quietly } from '../attempt.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { holdsResources, NOT_SEARCHED } from './find-package-files.ts'
import { isPlaceWithin, realPlace } from './inside-folder.ts'
import { CHART_FILE } from './package-folders.ts'

/** The most folders, entries and files behind a link that are looked at. Behind a link to more, there may be objects that were not seen. */
const MOST = { folders: 200, entries: 10_000, files: 1000 }

/** The bytes at the beginning of a file in which a key of an object must be. */
const BEGINNING = 64 * 1024

/**
 * Returns true for a link to a folder in which a fleet may have objects: outside of the folder of the fleet, which is read itself, and with
 * files of objects outside of packages and charts.
 *
 * @param root  the real place of the folder of the fleet
 * @param most  the limits of the search
 */
export function hidesObjects(link: string, root: string, most = MOST): boolean {
  const place = realpathSync(link)
  return mayLeadOut(link, root) && (holdsMachine(place) || holdsObjects(place, root, most))
}

/**
 * Returns false for a link of an installation, and for a link to what is read under its own path; true for another link to nothing.
 *
 * @param root  the real place of the folder of the fleet
 */
export function mayLeadOut(link: string, root: string): boolean {
  const place = quietly(() => realpathSync(link))
  return !isInstalled(link, root) && (place === undefined || !isPlaceWithin(root, place))
}

/**
 * Returns true for a broken link that may stand for a folder of the fleet: one to what must not be read, and one to nothing within the
 * bounds or in a place that is named relative to the fleet. Other links to nothing are those of builds and of other programs.
 *
 * @param root    the real place of the folder of the fleet
 * @param bounds  the real place of the repository that the fleet is in
 */
export function mayStandForFolder(link: string, root: string, bounds: string): boolean {
  if (isInstalled(link, root)) return false
  const target = readlinkSync(link)
  const isNothing = quietly(() => statSync(link, { throwIfNoEntry: false }) ?? 'nothing') === 'nothing'
  return !isNothing || !isAbsolute(target) || isPlaceWithin(bounds, realPlace(target))
}

/** Returns true for a link of an installation, such as `node_modules`, or in one. */
function isInstalled(link: string, root: string): boolean {
  return relative(root, link)
    .split(sep)
    .some((step) => NOT_SEARCHED.includes(step))
}

/** Returns true for the root of the machine, and for a folder above the home or the temporary folder: a search would end at the limits. */
function holdsMachine(place: string): boolean {
  const common = [homedir, tmpdir].flatMap((folder) => quietly(() => dirname(realPlace(folder()))) ?? [])
  return dirname(place) === place || common.some((above) => isPlaceWithin(place, above))
}

/** Returns true if a folder has a file of objects outside of packages and charts, or what cannot be read. */
function holdsObjects(place: string, root: string, most: typeof MOST): boolean {
  const folders = [place]
  const seen = { entries: 0, files: 0 }
  for (const [at, folder] of folders.entries()) {
    const entries = at < most.folders ? quietly(() => readdirSync(folder, { withFileTypes: true })) : undefined
    seen.entries += entries?.length ?? 0
    if (entries === undefined || seen.entries > most.entries) return true
    if (entries.some(({ name }) => name === KPTFILE || name === CHART_FILE)) continue
    const files = entries.filter((entry) => !entry.isDirectory() && holdsResources(entry.name))
    seen.files += files.length
    if (seen.files > most.files || files.some(({ name }) => mayHoldObject(join(folder, name)))) return true
    folders.push(...subfolders(folder, entries).filter((each) => each !== root))
  }
  return false
}

function subfolders(folder: string, entries: readonly Dirent[]): readonly string[] {
  return entries.flatMap((entry) => (entry.isDirectory() && !NOT_SEARCHED.includes(entry.name) ? [join(folder, entry.name)] : []))
}

/** Returns true for a file with an object, and for one that cannot be read; false for a link to nothing or to a folder. */
function mayHoldObject(file: string): boolean {
  const read = quietly(() => (statSync(file, { throwIfNoEntry: false })?.isFile() === true ? beginningOf(file) : NOTHING))
  if (read === undefined || hasKeysOfObject(read.text)) return true
  // Between the keys of an object there may be long data, as in JSON with sorted keys.
  return !read.isWhole && KEYS.some((key) => key.test(read.text))
}

/** Returns true for a text in which an object may be: each key of an object begins a line or a map. */
export function hasKeysOfObject(text: string): boolean {
  return KEYS.every((key) => key.test(text))
}

const NOTHING = { text: '', isWhole: true }

/** Returns the beginning of a file as text, and if this is the whole file; of UTF-16, the letters of ASCII are right. */
function beginningOf(file: string): { readonly text: string; readonly isWhole: boolean } {
  const opened = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(BEGINNING)
    const size = readSync(opened, bytes)
    return { text: bytes.toString('utf8', 0, size).replaceAll('\0', ''), isWhole: size < BEGINNING }
  } finally {
    closeSync(opened)
  }
}

/** Match the keys of an object at the beginning of a line, behind a mark of the encoding, in a list, and in a map on one line. */
const KEYS = ['apiVersion', 'kind'].map((key) => new RegExp(String.raw`(?:^|[{,])[ \t\uFEFF\uFFFD-]*["']?${key}["']?[ \t]*:`, 'm'))
