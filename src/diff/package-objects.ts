import { mayHoldResources, objectsOf, readResources } from '../folder/read-whole-package.ts'
import { equalJson, type JsonRecord } from '../json.ts'
import { withoutCloneMarks } from '../merge/clone-marks.ts'
import { isBytes, type PackageContent, type PackageFiles } from '../merge/package-files.ts'
import { equalBytes } from '../merge/same-content.ts'
import { clusterObjects } from '../policy/policy-packages.ts'
import { remember } from '../remember.ts'
import type { RenderedContent } from '../render/clone/rendered-package.ts'
import type { RenderedStep } from '../render/made-packages.ts'
import { placeInList } from '../resource-list/applied-objects.ts'
import { groupOf, identityOfObject } from '../resource-list/identity.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { isKptfile } from '../resource-list/package-of.ts'
import { ByPair } from './by-pair.ts'
import type { ObjectName } from './report.ts'

/** The objects of a package that differ between two states, and whether anything else differs. */
export interface PackageDifference {
  readonly pairs: readonly ObjectPair[]
  /** True if a Kptfile, an object that no cluster gets, or a file without objects differs. */
  readonly isLocal: boolean
}

/** An object in one or both states. Both states have the same identity, unless the object is renamed. */
export interface ObjectPair {
  readonly before?: KrmObject
  readonly after?: KrmObject
}

/** Returns the identity of an object. */
export function nameOfObject({ apiVersion = '', kind = '', namespace, name = '' }: KrmObject): ObjectName {
  return { apiVersion, kind, ...(namespace !== undefined && { namespace }), name }
}

/** Returns an object as a reviewer compares it: without the marks that a clone writes for later updates. */
export function comparedContent(object: KrmObject): JsonRecord {
  return withoutCloneMarks(object.toJson())
}

/** Returns the text of an object; that of an entry of a List without the List's margin. */
export function shownText(object: KrmObject): string {
  const text = object.toText()
  const [margin = ''] = placeInList(object) === undefined ? [] : (/^ */.exec(text) ?? [])
  return margin === '' ? text : text.replaceAll(new RegExp(`^${margin}`, 'gm'), '')
}

/** Compares the packages of two states, one after the other. */
export class PackageComparison {
  /** True for files that are equal: most packages of a fleet share most of their files. */
  readonly #equal = new ByPair<PackageContent, boolean>()
  /** True if objects differ when only their comments do. */
  readonly #withComments: boolean

  constructor({ withComments }: { readonly withComments: boolean }) {
    this.#withComments = withComments
  }

  /**
   * Returns the objects that differ, paired by identity; a renamed object is one pair. The place of an object in files and the order of
   * objects are no difference.
   */
  compare(before: PackageFiles, after: PackageFiles): PackageDifference {
    const [old, present] = [new Candidates(), new Candidates()]
    let [isLocal, isEqual] = [false, true]
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(path), after.get(path)]
      if (was !== undefined && is !== undefined && this.#equal.of(was, is, () => equalContents(was, is))) continue
      isEqual = false
      isLocal = [old.add(path, was), present.add(path, is)].includes(true) || isLocal
    }
    const gone: KrmObject[] = []
    const pairs: ObjectPair[] = []
    for (const [identity, object] of old.objects) {
      const now = present.objects.get(identity)
      if (now === undefined) gone.push(object)
      else if (this.#differ(object, now)) pairs.push({ before: object, after: now })
    }
    const made = [...present.objects].flatMap(([identity, object]) => (old.objects.has(identity) ? [] : [object]))
    const all = [...pairs, ...pairRenamed(gone, made)]
    return { pairs: all, isLocal: isLocal || (!isEqual && all.length === 0) }
  }

  #differ(before: KrmObject, after: KrmObject): boolean {
    if (before.toText() === after.toText()) return false
    return this.#withComments || !equalJson(comparedContent(before), comparedContent(after))
  }
}

/** Returns true if two files hold the same bytes, or objects with the same texts. */
export function equalContents(before: PackageContent, after: PackageContent | undefined): boolean {
  if (before === after) return true
  if (after === undefined || isBytes(before) || isBytes(after))
    return after !== undefined && isBytes(before) && isBytes(after) && equalBytes(before, after)
  return before.length === after.length && before.every((object, i) => object === after[i] || object.toText() === after[i]?.toText())
}

/** The objects of one state in files that differ, by identity. */
class Candidates {
  readonly objects = new Map<string, KrmObject>()

  /** Adds the objects of a file. Returns true if the file holds anything that no cluster gets. */
  add(path: string, content: PackageContent | undefined): boolean {
    if (content === undefined) return false
    if (isBytes(content)) return true
    let isLocal = false
    for (const object of content) {
      const own = isKptfile(path) ? [] : clusterObjects(object)
      for (const each of own) this.objects.set(this.#identityOf(each), each)
      isLocal = isLocal || own.length === 0
    }
    return isLocal
  }

  /** Returns the identity of an object; of a second object with the same identity another one, so that none is lost. */
  #identityOf(object: KrmObject): string {
    const own = identityOfObject(object)
    let identity = own
    for (let count = 2; this.objects.has(identity); count++) identity = `${own} ${count}`
    return identity
  }
}

/** The share of equal leaves from which two objects are one that was renamed: as in git, a half. */
const SIMILAR = 0.5
/** The most pairs that are compared in a package: beyond this number, objects are reported as deleted and created. */
const MOST_PAIRS = 2500

/** Pairs deleted and created objects of one group and kind, the most similar first. Objects without a similar one stay alone. */
function pairRenamed(gone: readonly KrmObject[], made: readonly KrmObject[]): readonly ObjectPair[] {
  const alone = (): readonly ObjectPair[] => [...gone.map((before) => ({ before })), ...made.map((after) => ({ after }))]
  if (gone.length === 0 || made.length === 0 || gone.length * made.length > MOST_PAIRS) return alone()
  const leavesOf = new Map([...gone, ...made].map((object) => [object, leaves(comparedContent(object))]))
  const scored = gone.flatMap((before) =>
    made.flatMap((after) => {
      const score = sameKind(before, after) ? similarity(leavesOf.get(before), leavesOf.get(after)) : 0
      return score >= SIMILAR ? [{ before, after, score }] : []
    }),
  )
  const paired = new Set<KrmObject>()
  const renamed: ObjectPair[] = []
  for (const { before, after } of scored.sort((a, b) => b.score - a.score)) {
    if (paired.has(before) || paired.has(after)) continue
    paired.add(before).add(after)
    renamed.push({ before, after })
  }
  const rest = alone().filter(({ before, after }) => ![before, after].some((object) => object !== undefined && paired.has(object)))
  return [...renamed, ...rest]
}

function sameKind(a: KrmObject, b: KrmObject): boolean {
  return a.kind === b.kind && groupOf(a.apiVersion ?? '') === groupOf(b.apiVersion ?? '')
}

/** Returns the paths and values of an object as texts, without its name and namespace. */
function leaves(object: JsonRecord): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) found.add(`${path}=${String(value)}`)
    else for (const [key, each] of Object.entries(value)) walk(each, `${path}/${key}`)
  }
  walk(object, '')
  for (const leaf of found) if (/^\/metadata\/(name|namespace)=/.test(leaf)) found.delete(leaf)
  return found
}

function similarity(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): number {
  const shared = [...a].filter((leaf) => b.has(leaf)).length
  return shared / Math.max(a.size, b.size, 1)
}

const plainContents = new WeakMap<object, PackageContent>()

/** A package as `render` leaves it. */
export type RenderedPackageStep = Pick<RenderedStep, 'step' | 'made' | 'functions'>

/**
 * Returns the files of a rendered package, after its functions ran. A file that packages share gives one content.
 *
 * @param shown  the folder that holds the packages, for findings
 * @param other  the package in another state: files that functions gave the same bytes in both states are left out, and need not be read
 */
export function renderedFiles({ step, made, functions }: RenderedPackageStep, shown = '', other?: RenderedPackageStep): PackageFiles {
  const files = new Map(Array.from(made.files, ([path, content]) => [path, plainContent(content, path)]))
  for (const [path, bytes] of functions?.changed ?? []) {
    const same = other?.functions?.changed.get(path)
    if (bytes === undefined || (same !== undefined && equalBytes(bytes, same))) files.delete(path)
    else files.set(path, packageContentOf(bytes, `${shown === '' ? '' : `${shown}/`}${step.folder}/${path}`))
  }
  return files
}

/**
 * Returns the content of a file: its objects, or its bytes if it holds none. Updates carry JSON as bytes; a cluster gets its objects as
 * those of YAML.
 */
export function packageContentOf(bytes: Uint8Array, path: string): PackageContent {
  const { layout } = mayHoldResources(path) || path.endsWith('.json') ? readResources(path, bytes) : {}
  return layout === undefined ? bytes : objectsOf(layout)
}

function plainContent(content: RenderedContent, path: string): PackageContent {
  if (isBytes(content) && !path.endsWith('.json')) return content
  return remember(plainContents, content, () => (isBytes(content) ? packageContentOf(content, path) : content.map(({ object }) => object)))
}
