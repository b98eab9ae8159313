import type { PackageFile } from '../folder/package.ts'
import type { WholeFile, WholeFolder } from '../folder/whole-folder.ts'
import { asList, asRecord, equalJson, isJsonText, isRecord, type JsonRecord, type JsonValue, lookup, scalarText } from '../json.ts'
import { sha256Hex } from '../kubernetes/truncated-name.ts'
import { isLocalConfig } from '../resource-list/applied-objects.ts'
import { identityOfObject } from '../resource-list/identity.ts'
import { KrmObject } from '../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../resource-list/package-of.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { nameFirst } from '../wording.ts'
import { emitValue } from '../yaml/emit/emit.ts'
import { layOutFiles } from './file-layout.ts'
import { commentsLeftOut, digestOfComments, layoutsOfTexts, type RevisionLayouts } from './revision-comments.ts'
import { carrySetters, type SetterPlace, writeSetters } from './setter-places.ts'
import type { VendorObject } from './vendor-objects.ts'

/** The annotation of an imported package: where its objects come from, as JSON. */
const IMPORTED_FROM = 'fn.krm-variants.dev/imported-from'

/** Where the objects of a package come from. `objects` is the digest of their values, which shows later if people changed them. */
export interface ImportOrigin {
  readonly source: 'manifest' | 'helm' | 'kustomize' | 'package'
  /** The chart or files, without folders. */
  readonly name: string
  readonly version?: string
  readonly sha256: string
  /** The commit of a package in git. */
  readonly commit?: string
  /** The digest of the values files, whose content is nowhere else. */
  readonly values?: string
  readonly hooks?: 'keep'
  /** The source of which `convert` made the package: a folder of the tree, or objects that overlays share. */
  readonly path?: string
  /** The command that makes the package again. */
  readonly command: string
}

/** The content of the files of a revision: objects, or the bytes of a file without objects. */
export type RevisionFiles = ReadonlyMap<string, readonly KrmObject[] | Uint8Array>

/** The last revision of a package: what its files hold, and its folder for findings. */
export interface LastRevision {
  readonly files: RevisionFiles
  readonly layouts: RevisionLayouts
  /** Its symbolic links. No revision has links that an import wrote. */
  readonly links: readonly string[]
  readonly place: string
}

/** The source of a revision. The objects get the comments of setters. */
export interface RevisionRequest {
  readonly name: string
  readonly objects: readonly VendorObject[]
  readonly origin: ImportOrigin
  readonly last: LastRevision | undefined
  readonly setters: readonly SetterPlace[]
}

/** A new revision of a package: the text or bytes of each file, and what the last revision had that it has not. */
export interface NextRevision {
  readonly files: ReadonlyMap<string, string | Uint8Array>
  readonly results: readonly Result[]
}

/**
 * Returns the files of a revision with the objects of a vendor. From the last revision it takes the places of objects, the comments of
 * setters, the Kptfile with its pipeline, files without objects, packages of people in folders below, and objects that no cluster gets,
 * such as options of functions.
 */
export function nextRevision({ name, objects, origin, last, setters }: RevisionRequest): NextRevision {
  const identities = new Set(objects.map(({ object }) => identityOfObject(object)))
  const others = last === undefined ? new Map<string, string | Uint8Array>() : filesOfPeople(last, identities)
  const lastObjects = objectsOfRevision(new Map([...(last?.files ?? [])].filter(([path]) => !others.has(path))))
  const results = [
    ...carrySetters(objects, lastObjects),
    ...writeSetters(objects, setters),
    ...editedSince(last, digestOf(lastObjects), 'objects'),
  ]
  const local = lastObjects.filter((object) => isLocalConfig(object) && !identities.has(identityOfObject(object)))
  const kept = local.map((object) => ({ object, head: '' }))
  const laid = layOutFiles([...objects, ...kept], lastObjects, [...others.keys()])
  const files = new Map(others)
  const digest = digestOf(objects.map(({ object }) => object))
  for (const [path, text] of laid) files.set(path, text)
  const layouts = layoutsOfTexts(files)
  const written = { ...origin, objects: digest, comments: digestOfComments(layouts) }
  files.set(KPTFILE, kptfileText(name, written, last?.files.get(KPTFILE)))
  return { files, results: [...results, ...(last === undefined ? [] : [...linksNotCarried(last), ...editedComments(last, layouts)])] }
}

/**
 * Returns the files of people in a revision, each as it is: those without objects, and packages in folders that have no object of the
 * vendor. In a revision with the objects of its import alone, each object was the vendor's, also one that people moved into a package of
 * theirs.
 */
function filesOfPeople({ files, layouts }: LastRevision, vendor: ReadonlySet<string>): ReadonlyMap<string, string | Uint8Array> {
  const isAsImported = scalarText(lookup(originOf(files) ?? {}, 'objects')) === digestOf(objectsOfRevision(files))
  const folders = [...files.keys()].filter((path) => path !== KPTFILE && isKptfile(path)).map((path) => `${folderOf(path)}/`)
  const isOfVendor = ([path, content]: readonly [string, readonly KrmObject[] | Uint8Array]) =>
    !(content instanceof Uint8Array) &&
    !isKptfile(path) &&
    holdsObjects(content) &&
    content.some((object) => vendor.has(identityOfObject(object)) || (isAsImported && !isLocalConfig(object)))
  const vendorPaths = [...files].filter(isOfVendor).map(([path]) => path)
  const own = folders.filter((folder) => !vendorPaths.some((path) => path.startsWith(folder)))
  const isOwn = (path: string, content: readonly KrmObject[] | Uint8Array) =>
    path !== KPTFILE && (isKptfile(path) || !holdsObjects(content) || own.some((folder) => path.startsWith(folder)))
  const found = [...files].filter(([path, content]) => isOwn(path, content))
  return new Map(found.map(([path, content]) => [path, content instanceof Uint8Array ? content : textOfFile(layouts.get(path))]))
}

function textOfFile(file: PackageFile | undefined): string {
  return file?.documents.map(({ separator, before, text, after }) => `${separator}${before}${text}${after}`).join('') ?? ''
}

/** Returns true if a revision with the same objects has the comments of setters already. Writes the comments into the objects. */
export function hasSetters(objects: readonly VendorObject[], revision: RevisionFiles, setters: readonly SetterPlace[]): boolean {
  carrySetters(objects, objectsOfRevision(revision))
  const texts = objects.map(({ object }) => object.toText())
  const faults = writeSetters(objects, setters)
  return faults.length === 0 && objects.every(({ object }, i) => object.toText() === texts[i])
}

/** Returns a warning for each comment that people wrote into the last revision after its import and that the next one lacks. */
function editedComments({ files, layouts, place }: LastRevision, next: RevisionLayouts): readonly Result[] {
  const recorded = scalarText(lookup(originOf(files) ?? {}, 'comments'))
  return recorded === digestOfComments(layouts) ? [] : commentsLeftOut(layouts, next, place)
}

function linksNotCarried({ links, place }: Pick<LastRevision, 'links' | 'place'>): readonly Result[] {
  return links.map((link) => notCarried(place, link, 'is a symbolic link and not in the next revision'))
}

function notCarried(place: string, path: string, message: string): Result {
  return { severity: 'warning', message, file: { path: `${place}/${path}`, index: 0 }, tags: { rule: 'import-edited' } }
}

/** Returns the Kptfile of a package of others with the origin, for a package in the folder `name`. */
export function kptfileOfPackage(name: string, { files, disk }: VendorPackage, origin: ImportOrigin): string {
  const written = { ...origin, objects: digestOfContent({ files, disk }), executable: executableIn(disk.files) }
  return kptfileText(name, written, files.get(KPTFILE))
}

/** A package of others: what its files hold, and the files as they are. */
export interface VendorPackage {
  readonly files: RevisionFiles
  readonly disk: Pick<WholeFolder, 'files' | 'links'>
}

/**
 * Returns a warning if people changed a file of the last revision of a package of others, and warnings for the files and links that the
 * next revision lacks, and for the executable bits that people turned and it has otherwise: that one has the files of the source alone. The
 * import records which files are executable in the source, but no names of files, so that a file which the source no longer has looks like
 * one that a person added.
 *
 * @param next  the files of the source
 */
export function editedPackage(
  last: (VendorPackage & Pick<LastRevision, 'place'>) | undefined,
  next: ReadonlyMap<string, Pick<WholeFile, 'mode'>>,
): readonly Result[] {
  if (last === undefined) return []
  const { disk, place } = last
  const edited = editedSince(last, digestOfContent(last), 'files')
  const gone = edited.length === 0 ? [] : [...disk.files.keys()].filter((path) => path !== KPTFILE && !next.has(path))
  const recorded = lookup(originOf(last.files) ?? {}, 'executable')
  const isOfPeople = (path: string) => (recorded === undefined ? edited.length > 0 : !asList(recorded).includes(path))
  const [before, after] = [executableIn(disk.files), executableIn(next)]
  const turnedOn = before.filter((path) => next.has(path) && !after.includes(path) && isOfPeople(path))
  const turnedOff = after.filter((path) => disk.files.has(path) && !before.includes(path) && asList(recorded).includes(path))
  return [
    ...edited,
    ...(gone.length === 0 ? [] : [filesGone(place, gone)]),
    ...turnedOn.map((path) => notCarried(place, path, 'is executable, and is not in the next revision')),
    ...turnedOff.map((path) => notCarried(place, path, 'is not executable, and is in the next revision')),
    ...linksNotCarried({ links: disk.links, place }),
  ]
}

function executableIn(files: ReadonlyMap<string, Pick<WholeFile, 'mode'>>): readonly string[] {
  return [...files].flatMap(([path, { mode }]) => ((mode & 0o111) === 0 ? [] : [path]))
}

const MOST_NAMED = 5

function filesGone(place: string, paths: readonly string[]): Result {
  const message = `the next revision lacks ${nameFirst(paths, MOST_NAMED, quoteText)}, which the last one has: the source has no such file`
  return { severity: 'warning', message, file: { path: place, index: 0 }, tags: { rule: 'import-edited' } }
}

/** Returns the digest of files with their paths. */
export function digestOfFiles(files: WholeFolder['files']): string {
  return sha256Hex([...files].map(([path, file]) => `${path} ${sha256Hex(file.read())}`).join('\n'))
}

/** Returns the digest of a package without what an import writes into its Kptfile. */
function digestOfContent({ files, disk }: VendorPackage): string {
  const content = files.get(KPTFILE)
  const [kptfile] = content === undefined || content instanceof Uint8Array ? [] : content
  const bare = KrmObject.of(kptfile?.toText() ?? '', 'document')
  bare.delete(['metadata', 'annotations', IMPORTED_FROM])
  if (isReplaced(bare.get(['info', 'description']))) bare.delete(['info', 'description'])
  for (const path of [['metadata', 'annotations'], ['info']]) if (Object.keys(asRecord(bare.get(path))).length === 0) bare.delete(path)
  const others = [...disk.files].filter(([path]) => path !== KPTFILE)
  return sha256Hex(`${digestOf([bare])} ${digestOfFiles(new Map(others))}`)
}

/** Returns the objects of a revision, without its Kptfiles and YAML that is no object. */
export function objectsOfRevision(files: RevisionFiles): readonly KrmObject[] {
  return [...files].flatMap(([path, content]) =>
    content instanceof Uint8Array || isKptfile(path) || !holdsObjects(content) ? [] : content,
  )
}

/** Returns true for a file with an object. Any other map, such as settings of a program, is a file like a README. */
function holdsObjects(content: readonly KrmObject[] | Uint8Array): boolean {
  return !(content instanceof Uint8Array) && content.some(({ kind, name }) => kind !== undefined && name !== undefined)
}

/** Returns the Kptfile of the last revision with the new origin, or a new one. */
function kptfileText(
  name: string,
  origin: ImportOrigin & { readonly objects: string; readonly comments?: string; readonly executable?: readonly string[] },
  last: readonly KrmObject[] | Uint8Array | undefined,
): string {
  const description = describe(origin)
  const written = JSON.stringify(origin)
  const [old] = last instanceof Uint8Array || last === undefined ? [] : last
  if (old === undefined) {
    const annotations = { [IMPORTED_FROM]: written }
    const kptfile = { apiVersion: 'kpt.dev/v1', kind: 'Kptfile', metadata: { name, annotations }, info: { description } }
    return `${emitValue(kptfile, { column: 0, sequences: 'compact' })}\n`
  }
  const kptfile = KrmObject.of(old.toText(), 'document')
  kptfile.set(['metadata', 'annotations', IMPORTED_FROM], written)
  if (isReplaced(kptfile.get(['info', 'description']))) kptfile.set(['info', 'description'], description)
  return kptfile.toText()
}

const IMPORTED = 'Imported from '

/** Returns true for a description that an import replaces: none, or that of an earlier import. */
function isReplaced(description: JsonValue | undefined): boolean {
  const text = scalarText(description)
  return text === '' || text.startsWith(IMPORTED)
}

function describe({ source, name, version, values }: ImportOrigin): string {
  const what = { helm: 'chart', manifest: 'manifest', kustomize: 'kustomization', package: 'package' }[source]
  return `${IMPORTED}${what} ${name}${version === undefined ? '' : ` ${version}`}${values === undefined ? '' : `, values ${values.slice(0, 12)}`}`
}

/** Returns the origin that the Kptfile of a revision records; undefined for a package that was not imported. */
export function originOf(files: RevisionFiles): JsonRecord | undefined {
  const content = files.get(KPTFILE)
  const [kptfile] = content instanceof Uint8Array || content === undefined ? [] : content
  const text = kptfile?.annotations.get(IMPORTED_FROM)
  if (text === undefined || !isJsonText(text)) return undefined
  const value: JsonValue = JSON.parse(text)
  return isRecord(value) ? value : undefined
}

/**
 * Returns true if a revision was made from the same input: a second import changes nothing. A tag of a repository is the version of all its
 * packages, so a package is the same if its files are, with their executable bits.
 *
 * @param files  the files of a package of others
 */
export function isSameImport(origin: ImportOrigin, recorded: JsonRecord | undefined, files?: WholeFolder['files']): boolean {
  if (recorded === undefined) return false
  const { source, version, sha256, hooks } = origin
  const wanted = { source, sha256, hooks, ...(source !== 'package' && { version }) }
  const executable = lookup(recorded, 'executable')
  const hasSameBits = files === undefined || executable === undefined || equalJson(executable, executableIn(files))
  return hasSameBits && Object.entries(wanted).every(([key, value]) => scalarText(lookup(recorded, key)) === (value ?? ''))
}

/** Returns the digest of the values of the objects that clusters get. Comments and the order make no difference. */
function digestOf(objects: readonly KrmObject[]): string {
  const applied = objects.filter((object) => !isLocalConfig(object))
  const texts = applied.map((object) => emitValue(sorted(object.toJson()), { column: 0, sequences: 'compact' })).sort()
  return sha256Hex(texts.join('\0'))
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(lookup(value, key) ?? null)]),
  )
}

/** Returns a warning if people changed the last revision after its import: those changes are in that revision alone. */
function editedSince(
  last: Pick<LastRevision, 'files' | 'place'> | undefined,
  digest: string,
  what: 'objects' | 'files',
): readonly Result[] {
  const recorded = last && originOf(last.files)
  if (last === undefined || (recorded !== undefined && scalarText(lookup(recorded, 'objects')) === digest)) return []
  const cause = recorded === undefined ? 'was not imported' : 'was changed after its import'
  const kept = what === 'objects' ? ', but for comments of setters' : ''
  const message = `the last revision ${cause}: what people wrote into its ${what} is not in the next one${kept}; the differences are below`
  return [{ severity: 'warning', message, file: { path: last.place, index: 0 }, tags: { rule: 'import-edited' } }]
}
