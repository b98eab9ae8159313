import type { JsonRecord } from '../../json.ts'
import { isBytes, objectsIn } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { keyOfIdentity } from '../../resource-list/object-index.ts'
import { folderOf, isKptfile, KPTFILE, nearestFolder } from '../../resource-list/package-of.ts'
import { SOURCE_FOLDER, type VariantPackage } from '../../variant/variant-package.ts'
import { made, mayHoldWord, type RenderedContent, type RenderedFiles, type RenderedObject } from './rendered-package.ts'

/** A package that mutations edit. `pick` returns drafts, since many packages share their objects. */
export class WorkingPackage implements VariantPackage {
  readonly kptfile: KrmObject
  readonly #files: Map<string, RenderedContent>
  readonly #packageOf: (path: string) => string
  #ownPaths: readonly string[] | undefined
  /** The drafts, which only this package has. */
  readonly #drafts = new Set<KrmObject>()

  /** @param files  must include the package's own Kptfile */
  constructor(files: RenderedFiles) {
    this.#files = new Map(files)
    this.#packageOf = nearestFolder(new Set([...files.keys()].filter(isKptfile).map(folderOf)))
    const [kptfile] = this.#draft(KPTFILE, () => true)
    if (kptfile === undefined) throw new Error('a package in the making has a Kptfile')
    this.kptfile = kptfile
  }

  get contents(): RenderedFiles {
    return this.#files
  }

  pick(word: string, test: (object: KrmObject) => boolean): readonly KrmObject[] {
    return this.#own().flatMap((path) => (this.#mayHold(path, word) ? this.#draft(path, test) : []))
  }

  files(): readonly string[] {
    return this.#own().filter((path) => !isBytes(this.#files.get(path)))
  }

  add(value: JsonRecord, file: string): KrmObject {
    const { kind, name } = keyOfIdentity(value)
    const [existing] = this.pick(name, (object) => object.kind === kind && object.name === name)
    if (existing !== undefined) {
      existing.set([], value)
      return existing
    }
    const one = made(value)
    this.#files.set(file, [...objectsIn(this.#files.get(file)), one])
    this.#ownPaths = undefined
    return one.object
  }

  /** Returns the paths of the package's own files, without those of subpackages and source folders. */
  #own(): readonly string[] {
    this.#ownPaths ??= [...this.#files.keys()].filter((path) => this.#packageOf(path) === '' && !path.startsWith(`${SOURCE_FOLDER}/`))
    return this.#ownPaths
  }

  /** Returns true if a file may hold a word. A file with drafts is always searched, since a mutation may have written any word. */
  #mayHold(path: string, word: string): boolean {
    const content = objectsIn(this.#files.get(path))
    return content.some((one) => this.#drafts.has(one.object)) || mayHoldWord(content, word, ({ object }) => object)
  }

  /** Replaces the objects of a file that pass a test with drafts and returns the drafts. */
  #draft(path: string, test: (object: KrmObject) => boolean): readonly KrmObject[] {
    const content = objectsIn(this.#files.get(path))
    const picked = content.filter(({ object }) => test(object))
    const drafts = new Map(picked.map((one) => [one, this.#draftOf(one)]))
    if (picked.length > 0)
      this.#files.set(
        path,
        content.map((one) => drafts.get(one) ?? one),
      )
    return [...drafts.values()].map(({ object }) => object)
  }

  /** Returns the draft of an object; the same draft for each call. */
  #draftOf(one: RenderedObject): RenderedObject {
    if (this.#drafts.has(one.object)) return one
    const drafted = { ...one, object: one.from === 'made' ? one.object : one.object.draft() }
    this.#drafts.add(drafted.object)
    return drafted
  }
}
