import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../json.ts'
import { PIPELINE_LISTS } from '../../kinds/kptfile.ts'
import { holdsResources, IGNORE_FILE } from '../../package/find-package-files.ts'
import { splitDocuments } from '../../package/split-documents.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { isKptfile } from '../../resource-list/package-of.ts'
import { WireError } from '../../resource-list/wire-error.ts'
import { isSharedBytes } from './cloned-files.ts'
import type { FunctionRun, PackageToRun } from './rendered-package.ts'
import { fits, isName, type Pieces, piecesOf, type Renamed, textOf, textWith, wordsOf } from './word-pattern.ts'

/*
 * Most packages of a fleet differ from each other in a few words: the name of the site, the owner, a value for set-namespace. Functions that
 * only compare and copy whole values treat two such packages alike, so the second package takes the answer of the first, with its own words.
 *
 *   first package:  namespace: site-1  →  till.yaml  namespace: site-1
 *   second package: namespace: site-2  →  till.yaml  namespace: site-2, without a call of set-namespace
 *
 * A word may differ only if nothing but its identity can matter: a word of letters, digits and dashes that is no key, is in no file that
 * the packages share, and decides neither which functions run nor on which resources.
 */

/** A package that ran, with its answer, for packages that differ from it in words. */
interface KnownRun {
  /** The bytes of the files that packages share, by path. */
  readonly shared: ReadonlyMap<string, Uint8Array>
  /** The other files. */
  readonly own: ReadonlyMap<string, Pieces>
  /** Words that must not stand for another one, since they have a meaning: those of shared files, of keys, of functions and resources. */
  readonly taken: ReadonlySet<string>
  readonly changed: ReadonlyMap<string, Pieces | undefined>
  readonly ran: FunctionRun['ran']
  /** The bytes of its own files. */
  readonly size: number
}

/** The most bytes of the own files of a package, and of all packages that are remembered. */
const MOST_OWN = 1_000_000
const MOST_BYTES = 8_000_000
const MOST_KNOWN = 64

/** Remembers the runs of packages, and answers for packages that differ from these in words alone. */
export class SharedRuns {
  /** The most recently used first. */
  #known: readonly KnownRun[] = []

  /** Returns the run of a package, by that of another package; undefined if none is known. */
  answer(pkg: PackageToRun): FunctionRun | undefined {
    const read = this.#known.length === 0 ? undefined : dividePackage(pkg)
    if (read === undefined) return undefined
    for (const known of this.#known) {
      const words = differingWords(known, read)
      if (words === undefined) continue
      if (this.#known[0] !== known) this.#known = [known, ...this.#known.filter((each) => each !== known)]
      return answerWith(known, words)
    }
    return undefined
  }

  /** Remembers the run of a package whose functions only compare and copy values, and returns its `fixed` words if others can share it. */
  keep(pkg: PackageToRun, run: FunctionRun): FunctionRun['fixed'] {
    const read = dividePackage(pkg)
    if (read === undefined || run.outcome !== 'done' || run.results.length > 0) return undefined
    const texts = Array.from(read.shared.values(), textOf)
    const hasPartial = [...texts, ...read.own.values()].some((text) => PARTIAL_SETTER.test(text))
    const taken = hasPartial ? undefined : meaningfulWords(read.own)
    if (taken === undefined) return undefined
    for (const word of texts.flatMap(wordsOf)) taken.add(word)
    const words = new Set([...read.own.values()].flatMap(wordsOf).filter((word) => !taken.has(word)))
    const known: KnownRun = {
      shared: read.shared,
      own: new Map([...read.own].map(([path, text]) => [path, piecesOf(text, words)])),
      taken,
      changed: new Map([...run.changed].map(([path, bytes]) => [path, bytes && piecesOf(textOf(bytes), words)])),
      ran: run.ran,
      size: read.size,
    }
    this.#known = withinLimits([known, ...this.#known])
    return taken
  }
}

/** Returns the most recently used runs. */
function withinLimits(runs: readonly KnownRun[]): readonly KnownRun[] {
  let size = 0
  return runs.slice(0, MOST_KNOWN).filter((run) => {
    size += run.size
    return size <= MOST_BYTES
  })
}

/** Matches a setter comment other than `${name}`: the function joins or splits words, `${site}-till` makes one word of two. */
const PARTIAL_SETTER = /kpt-set:(?![ \t]*\$\{[^}\n]*\}[ \t\r]*(?:\n|$))/

interface DividedPackage {
  readonly shared: ReadonlyMap<string, Uint8Array>
  /** The texts of the other files. */
  readonly own: ReadonlyMap<string, string>
  /** The bytes of the other files. */
  readonly size: number
}

/**
 * Returns the files that a package shares with others, and its own; undefined if its own files are too large. All files of an updated
 * package are its own.
 */
function dividePackage({ paths, read }: PackageToRun): DividedPackage | undefined {
  const shared = new Map<string, Uint8Array>()
  const own = new Map<string, string>()
  let size = 0
  for (const path of paths) {
    const bytes = isRead(path) ? read(path) : UNREAD
    if (bytes === UNREAD || isSharedBytes(bytes)) shared.set(path, bytes)
    else {
      size += bytes.length
      if (size > MOST_OWN) return undefined
      own.set(path, textOf(bytes))
    }
  }
  return { shared, own, size }
}

/** The content of a file that no run reads. */
const UNREAD = new Uint8Array()

/** Returns true for a file that a run reads: a file of resources, or the list of files that are left out. */
function isRead(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === IGNORE_FILE || holdsResources(name)
}

/**
 * Returns the words of a package's own files that decide which functions run, how, and on what: all of the pipeline except names and the
 * values of configMaps, the identities of resources, keys, parts of numbers, and all words that are no names. Undefined for a package in
 * which words have parts.
 */
function meaningfulWords(own: DividedPackage['own']): Set<string> | undefined {
  const words = new Set<string>()
  for (const [path, text] of own) {
    const objects = objectsIn(text)
    if (objects === undefined) return undefined
    const identities = objects.map((object) => {
      const { apiVersion = '', kind = '', name = '' } = object
      return `${apiVersion} ${kind} ${isKptfile(path) ? functionsOf(object) : name}`
    })
    const setters = Array.from(text.matchAll(/kpt-set:([^\n]*)/g), ([, pattern = '']) => pattern)
    const fixed = [...identities, ...setters, ...(path.endsWith(IGNORE_FILE) ? [text] : [])].join(' ')
    for (const word of [...wordsOf(fixed), ...wordsOf(text).filter((each) => !isName(each))]) words.add(word)
    for (const [, key = ''] of text.matchAll(/([A-Za-z0-9_-]+)["']?[ \t]*:(?=\s|$)/g)) words.add(key)
    // `1.e5` is a number, and `1.f5` is none.
    for (const [, part = ''] of text.matchAll(/(?<![A-Za-z])[0-9+-]+\.([A-Za-z0-9_-]+)/g)) words.add(part)
  }
  return words
}

/** Returns the objects of a file; undefined for a file that is not read as it stands. */
function objectsIn(text: string): readonly KrmObject[] | undefined {
  const { chunks, faults } = splitDocuments(text)
  try {
    return faults.length > 0 ? undefined : chunks.filter(({ isEmpty }) => !isEmpty).map((chunk) => KrmObject.fromDocument(chunk.text))
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** Returns the functions of a Kptfile as text, without their names and without the values of their configMaps. */
function functionsOf(kptfile: KrmObject): string {
  const lists = Object.keys(PIPELINE_LISTS).map((list) => kptfile.get(['pipeline', list]) ?? [])
  return JSON.stringify(lists.map((list) => (Array.isArray(list) ? list.filter(isRecord).map(withoutValues) : [])))
}

function withoutValues({ name: _, ...fn }: JsonRecord): JsonRecord {
  const configMap: JsonValue | undefined = lookup(fn, 'configMap')
  return isRecord(configMap) ? { ...fn, configMap: Object.keys(configMap) } : fn
}

/** Returns the words of a known package, each with that of another package; undefined if the packages differ in more than words. */
function differingWords(known: KnownRun, { shared, own }: DividedPackage): ReadonlyMap<string, string> | undefined {
  if (shared.size !== known.shared.size || own.size !== known.own.size) return undefined
  for (const [path, bytes] of shared) if (known.shared.get(path) !== bytes) return undefined
  const renamed: Renamed = { words: new Map(), back: new Map() }
  for (const [path, text] of own) {
    const pieces = known.own.get(path)
    if (pieces === undefined || !fits(pieces, text, known.taken, renamed)) return undefined
  }
  return renamed.words
}

function answerWith({ changed, ran, taken }: KnownRun, words: ReadonlyMap<string, string>): FunctionRun {
  const texts = new Map<string, Uint8Array | undefined>()
  for (const [path, pieces] of changed) texts.set(path, pieces && Buffer.from(textWith(pieces, words)))
  return { outcome: 'done', changed: texts, ran, results: [], fixed: taken }
}
