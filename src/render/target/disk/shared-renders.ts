import { isRecord, type JsonValue } from '../../../json.ts'
import { isBytes } from '../../../merge/package-files.ts'
import { equalBytes } from '../../../merge/same-content.ts'
import { IGNORE_FILE } from '../../../package/find-package-files.ts'
import type { WholeFolder } from '../../../package/whole-folder.ts'
import { KPTFILE } from '../../../resource-list/package-of.ts'
import { CONTEXT_FILE } from '../../../variant/package-context.ts'
import { isSharedBytes } from '../../package/cloned-files.ts'
import type { ContentChange } from '../../package/package-changes.ts'
import type { RenderContext } from '../../package/render-request.ts'
import { exactText, fits, isName, type Pieces, piecesOf, type Renamed, textOf, textWith, wordsOf } from '../../package/word-pattern.ts'
import type { SourcePackage } from '../../source/source-package.ts'
import type { UpstreamRevision } from '../../source/upstream-search.ts'
import type { RenderedStep } from '../made-packages.ts'
import { turnsNothing } from './file-modes.ts'
import type { DownstreamPackage } from './read-downstream.ts'

/*
 * Most packages of a fleet differ from each other only in the names and values of their variants. A render compares and copies these words
 * and does nothing else with them, so a package takes the render of another one, with its own words. Nothing of it is parsed or merged.
 *
 *   variant of the first package:  name: shop-site-1   data: {site: site-1}
 *   its render:                    Kptfile with fleet/shop-site-1, package-context.yaml with site: site-1
 *   variant of the second package: name: shop-site-2   data: {site: site-2}
 *   its render:                    Kptfile with fleet/shop-site-2, package-context.yaml with site: site-2
 *
 * Both must have the same upstream revision, and in an update the same files. A file is the same if it is as it was cloned, or need not be
 * read, or has the same text but for the words of the variant; an edit of people is in no other package, so an edited package is rendered
 * by itself. Only words of names and values that are copied may differ, and no word that also stands elsewhere. As a further guard, the
 * first package in which a word differs is rendered by itself and compared: what differs from that is never shared.
 */

type Step = RenderedStep['step']

/** A package that was rendered, for packages that differ from it in words. */
interface KnownRender {
  readonly op: Step['op']
  readonly upstream: UpstreamRevision
  readonly variant: Pieces
  /** The paths of all its files before the render. */
  readonly paths: string
  /** The sizes of the files that were not read. */
  readonly unread: ReadonlyMap<string, number>
  /** The bytes of the files that were as they were cloned. */
  readonly cloned: ReadonlyMap<string, Uint8Array>
  /** The texts of all other files. */
  readonly own: ReadonlyMap<string, Pieces>
  /** Words that must not stand for another one, since they may have another meaning. */
  readonly taken: ReadonlySet<string>
  readonly changes: readonly ContentChange[]
  /** The run of its functions, if they run here. */
  readonly functions: RenderedStep['functions'] | undefined
  /** The new files, by path. A file that all clones share has the same bytes in every package. */
  readonly written: ReadonlyMap<string, Uint8Array | Pieces>
  /** The words that were the same in all packages until now. */
  readonly unconfirmed: Set<string>
}

/** The render of a package by that of another one. */
export interface SharedRender extends Pick<RenderedStep, 'changes' | 'functions'> {
  bytesOf(path: string): Uint8Array | undefined
  /** False if a word differs for the first time: then the package must be rendered by itself and passed to `confirm`. */
  readonly isConfirmed: boolean
  confirm(rendered: RenderedStep): void
}

const MOST_KNOWN = 16
/** The packages without an answer after which no more are asked for: packages of this fleet do not resemble each other. */
const MOST_MISSES = 100
/** The most characters of the files of one package that are compared as texts. */
const MOST_OWN = 200_000

/** Remembers the renders of packages, and renders packages that differ from these in words alone. */
export class SharedRenders {
  readonly #context: RenderContext
  /** The most recently used first. */
  #known: readonly KnownRender[] = []
  #misses = 0

  constructor(context: RenderContext) {
    this.#context = context
  }

  /**
   * Returns the render of a package by that of another one; undefined if none is known.
   *
   * @param disk  the package until now
   */
  of(step: Step, disk: WholeFolder): SharedRender | undefined {
    if (!this.#isShareable(step, disk)) return undefined
    const known = this.#known.filter(({ op, upstream }) => op === step.op && upstream === step.upstream)
    if (known.length === 0) return undefined
    const pkg = new ReadOnce(disk)
    for (const each of known) {
      const words = differingWords(each, step.variant.object.toText(), pkg)
      if (words !== undefined) return this.#renderBy(each, words)
    }
    this.#misses += 1
    return undefined
  }

  #renderBy(known: KnownRender, words: ReadonlyMap<string, string>): SharedRender {
    this.#misses = 0
    if (this.#known[0] !== known) this.#known = [known, ...this.#known.filter((each) => each !== known)]
    const open = [...known.unconfirmed].filter((word) => (words.get(word) ?? word) !== word)
    const bytesOf = (path: string): Uint8Array | undefined => {
      const content = known.written.get(path)
      return content === undefined || isBytes(content) ? content : Buffer.from(textWith(content, words))
    }
    const { functions } = known
    const changed = new Map(Array.from(functions?.changed.keys() ?? [], (path) => [path, bytesOf(path)]))
    const render = {
      changes: known.changes,
      ...(functions && { functions: { ...functions, changed } }),
      bytesOf: (path: string) => changed.get(path) ?? bytesOf(path),
    }
    return {
      ...render,
      isConfirmed: open.length === 0,
      confirm: (rendered) => {
        if (isSameRender(rendered, render)) for (const word of open) known.unconfirmed.delete(word)
        else this.#known = this.#known.filter((each) => each !== known)
      },
    }
  }

  /** Remembers the render of a package without findings. */
  keep(disk: WholeFolder, read: DownstreamPackage | undefined, rendered: RenderedStep): void {
    const { step, results, functions, changes } = rendered
    if (!this.#isShareable(step, disk) || results.length > 0 || !isShareableRun(step, functions, this.#context)) return
    const base = read?.base
    if (read !== undefined && (base === undefined || read.unreadable.size > 0 || !turnsNothing(base, step.upstream.source))) return
    const files = base && read && this.#divide(disk, read, base)
    const written = new Map(changes.filter(({ op }) => op !== 'delete').map(({ path }) => [path, rendered.bytesOf(path)] as const))
    const texts = [...written].filter(([, bytes]) => !isSharedBytes(bytes))
    if ((step.op === 'update' && files === undefined) || texts.some(([, bytes]) => exactText(bytes) === undefined)) return
    const sources = base === undefined ? [step.upstream.source] : [step.upstream.source, base]
    const upstreams = sources.flatMap((source) => this.#upstreamTexts(source, [KPTFILE, CONTEXT_FILE, ...texts.map(([path]) => path)]))
    const { copied, others } = textsOfVariant(step)
    const meaning = new Set([...others, JSON.stringify(step.upstream.origin), ...upstreams].flatMap(wordsOf))
    for (const word of functions?.fixed ?? []) meaning.add(word)
    const words = new Set(copied.flatMap(wordsOf).filter((word) => isName(word) && !meaning.has(word)))
    const own = [...(files?.own ?? [])]
    const all = [step.variant.object.toText(), ...own.map(([, text]) => text), ...texts.map(([, bytes]) => textOf(bytes))]
    const known: KnownRender = {
      op: step.op,
      upstream: step.upstream,
      variant: piecesOf(step.variant.object.toText(), words),
      paths: pathsOf(disk),
      unread: files?.unread ?? new Map(),
      cloned: files?.cloned ?? new Map(),
      own: new Map(own.map(([path, text]) => [path, piecesOf(text, words)])),
      taken: new Set([...meaning, ...all.flatMap(wordsOf).filter((word) => !words.has(word))]),
      changes,
      functions,
      written: new Map([...written].map(([path, bytes]) => [path, isSharedBytes(bytes) ? bytes : piecesOf(textOf(bytes), words)])),
      unconfirmed: words,
    }
    this.#known = [known, ...this.#known].slice(0, MOST_KNOWN)
  }

  /** Returns true for a step whose render depends on nothing but its variant, its upstream revision and the files of the package. */
  #isShareable({ op, variant, movedFrom, upstream }: Step, { files, links, gitFolders, leftovers }: WholeFolder): boolean {
    if (this.#misses > MOST_MISSES || op === 'leave' || movedFrom !== undefined || upstream.maker !== undefined) return false
    if (links.length > 0 || gitFolders.length > 0 || leftovers.length > 0 || hasIgnoreFile(files.keys())) return false
    return !variant.object.mayHold('injectors') && this.#context.variantNames.beginningWith(variant.name).length === 0
  }

  /** Returns the files of a package by what is known of them; undefined if its own files are too large or no texts. */
  #divide(
    disk: WholeFolder,
    { files }: DownstreamPackage,
    base: SourcePackage,
  ): { unread: Map<string, number>; cloned: Map<string, Uint8Array>; own: Map<string, string> } | undefined {
    const clone = this.#context.clones.of(base)
    const { bytes } = this.#context.clonedFiles.of(base, clone)
    const divided = { unread: new Map<string, number>(), cloned: new Map<string, Uint8Array>(), own: new Map<string, string>() }
    let size = 0
    for (const [path, file] of disk.files) {
      const content = files.get(path)
      const there = bytes.get(path)
      if (content === undefined) divided.unread.set(path, file.size)
      else if (there !== undefined && content === clone.contents.get(path)) divided.cloned.set(path, there)
      else {
        const own = exactText(file.read())
        size += own?.length ?? 0
        if (size > MOST_OWN || own === undefined) return undefined
        divided.own.set(path, own)
      }
    }
    return divided
  }

  /** Returns the texts that an upstream package has at some paths. */
  #upstreamTexts(source: SourcePackage, paths: readonly string[]): readonly string[] {
    return paths.flatMap((path) => {
      const content = source.files.get(path)
      if (content === undefined) return []
      return isBytes(content) ? [textOf(content)] : content.map((object) => object.toText())
    })
  }
}

/**
 * Returns true if the functions of a package were left to kpt, or are none, or only compare and copied words of a new package. An update
 * also runs the functions of both upstream revisions, of which nothing is known here, and those of an unchanged package that has some.
 */
function isShareableRun({ op }: Step, run: RenderedStep['functions'] | undefined, { functions }: RenderContext): boolean {
  if (run === undefined) return functions === undefined
  if (run.outcome !== 'done' || run.results.length > 0) return false
  return (run.ran.length === 0 && run.changed.size === 0) || (op === 'create' && run.fixed !== undefined)
}

function hasIgnoreFile(paths: Iterable<string>): boolean {
  for (const path of paths) if (path.endsWith(IGNORE_FILE)) return true
  return false
}

function pathsOf({ files }: WholeFolder): string {
  return [...files.keys()].join('\0')
}

/** The values of a variant that rendering copies, `*` for any key and any position of a list. */
const COPIED: ReadonlySet<string> = new Set([
  'metadata.name',
  'spec.downstream.repo',
  'spec.downstream.package',
  'spec.labels.*',
  'spec.annotations.*',
  'spec.packageContext.data.*',
  'spec.pipeline.mutators.*.configMap.*',
  'spec.pipeline.validators.*.configMap.*',
])

interface VariantTexts {
  /** The texts that rendering copies. */
  readonly copied: string[]
  /** All other texts, keys included. */
  readonly others: string[]
}

function textsOfVariant({ variant }: Step): VariantTexts {
  const texts: VariantTexts = { copied: [], others: [] }
  collectTexts(variant.object.toJson(), '', texts)
  return texts
}

/** @param path  of the map or list around the value */
function collectTexts(value: JsonValue, path: string, texts: VariantTexts): void {
  const entries = isRecord(value) ? Object.entries(value) : Array.isArray(value) ? value.map((each) => ['*', each] as const) : []
  for (const [key, each] of entries) {
    const [own, any] = path === '' ? [key, '*'] : [`${path}.${key}`, `${path}.*`]
    texts.others.push(key)
    if (isRecord(each) || Array.isArray(each)) collectTexts(each, own, texts)
    else texts[COPIED.has(own) || COPIED.has(any) ? 'copied' : 'others'].push(String(each))
  }
}

/** Returns the words of a known package, each with that of another package; undefined if the packages differ in more than words. */
function differingWords(known: KnownRender, variant: string, pkg: ReadOnce): ReadonlyMap<string, string> | undefined {
  const renamed: Renamed = { words: new Map(), back: new Map() }
  if (pkg.paths !== known.paths || !fits(known.variant, variant, known.taken, renamed)) return undefined
  for (const [path, pieces] of known.own) if (pkg.textOf(path) !== textWith(pieces, renamed.words)) return undefined
  for (const [path, bytes] of known.cloned) if (!pkg.holds(path, bytes)) return undefined
  for (const [path, size] of known.unread) if (pkg.sizeOf(path) !== size) return undefined
  return renamed.words
}

/** The files of a package, each read once for all renders that the package is compared with. */
class ReadOnce {
  readonly paths: string
  readonly #disk: WholeFolder
  readonly #texts = new Map<string, string | undefined>()

  constructor(disk: WholeFolder) {
    this.#disk = disk
    this.paths = pathsOf(disk)
  }

  /** Returns the text of a file; undefined for bytes that are no text. */
  textOf(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, this.#read(path))
    return this.#texts.get(path)
  }

  holds(path: string, bytes: Uint8Array): boolean {
    return this.#disk.files.get(path)?.holds(bytes) === true
  }

  sizeOf(path: string): number | undefined {
    return this.#disk.files.get(path)?.size
  }

  #read(path: string): string | undefined {
    const bytes = this.#disk.files.get(path)?.read()
    return bytes && exactText(bytes)
  }
}

function isSameRender(
  { results, functions, changes, bytesOf }: RenderedStep,
  expected: Pick<SharedRender, 'changes' | 'functions' | 'bytesOf'>,
): boolean {
  if (results.length > 0 || !isSameRun(functions, expected.functions) || changes.length !== expected.changes.length) return false
  return changes.every(({ path, op, executable }, index) => {
    const other = expected.changes[index]
    const bytes = expected.bytesOf(path)
    if (other?.path !== path || other.op !== op || executable !== undefined) return false
    return op === 'delete' || (bytes !== undefined && equalBytes(bytes, bytesOf(path)))
  })
}

/** Returns true if two runs called the same functions, which changed the same files. */
function isSameRun(a: RenderedStep['functions'] | undefined, b: RenderedStep['functions'] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  const calls = ({ outcome, ran, changed, results }: NonNullable<RenderedStep['functions']>) =>
    JSON.stringify([outcome, ran, [...changed.keys()], results.length])
  return calls(a) === calls(b)
}
