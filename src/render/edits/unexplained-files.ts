import { attempt } from '../../attempt.ts'
import type { FieldPath } from '../../field-path.ts'
import type { PackageFile } from '../../folder/package.ts'
import { asRecord, equalJson, type JsonValue, lookup } from '../../json.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import type { PackageVariant } from '../../kinds/package-variant.ts'
import type { OwnerAnnotation } from '../../lifecycle/owner-annotation.ts'
import { isBytes, objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import { answered } from '../../pipeline/calls.ts'
import { lostComments } from '../../resource-list/lost-comments.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError } from '../../result.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { CONTEXT_FILE } from '../../variant/package-context.ts'
import { finishClone } from '../clone/clone-package.ts'
import { objectAt, type RenderedFiles } from '../clone/rendered-package.ts'
import { type RenderContext, renderedBytes } from '../render-request.ts'
import { mergeSide } from '../runs/merge-sides.ts'
import { ownCommentsBetween } from './comments-between.ts'
import { KPT_KEYS } from './kept-context.ts'
import { localEdits, type Maker } from './local-edits.ts'
import { keysOfVariant, readVariantKeys, unitedKeys, type VariantKeys } from './variant-keys.ts'

/** A package of a variant, read whole. */
export interface OwnedPackage {
  readonly folder: string
  readonly owner: OwnerAnnotation
  /** The variant; undefined for a package whose variant is gone. */
  readonly variant?: PackageVariant
  readonly files: PackageFiles
  /** The text around the objects of each file. */
  readonly layouts: ReadonlyMap<string, PackageFile>
}

/** The files of a package that people made or edited, by path. */
export interface UnexplainedFiles {
  readonly paths: readonly string[]
  /** The reason why no upstream can be compared with the package, for messages; then every file counts as edited. */
  readonly reason?: string
}

/**
 * Returns the files of a package that differ both from its upstream and from changes that a variant makes.
 *
 * Compares with the revision that `upstreamLock`, else `upstream` of the Kptfile names, and with the current content of that upstream
 * folder. The revision with the fewest differences counts. These count as written by the variant, which may be gone
 * (`localEdits`): functions with the variant's name, injected values, and the keys of the package context, labels and annotations that the
 * Kptfile records (`variant-keys.ts`). A variant never writes comments, so an own comment counts as an edit. What the functions of the
 * package's own Kptfile write, also into the package context, is no edit either.
 */
export function unexplainedFiles(owned: OwnedPackage, renderContext: RenderContext): UnexplainedFiles {
  const { folder, owner, files } = owned
  const [kptfile] = objectsIn(files.get('Kptfile'))
  const written = kptfile && readKptfileUpstream(kptfile).value
  const { revisions, reason } = renderContext.upstreams.recorded(written ?? {}, owner.variant.replace(/\/.*$/, ''))
  const compared = revisions.flatMap((revision) => {
    const clone = cloneOf(revision, folder, renderContext)
    if (clone === undefined) return []
    const { layouts } = revision.source
    return [clone, ...afterFunctions(clone, owned, revision, renderContext)].map((made) =>
      editsSince({ files: made, layouts }, owned, renderContext),
    )
  })
  const [first, ...others] = compared
  if (first === undefined) return { paths: [...files.keys()], reason: reason ?? 'it is none that can be cloned' }
  return { paths: others.reduce((fewest, paths) => (paths.length < fewest.length ? paths : fewest), first) }
}

/** Returns the clone of a revision; undefined if it cannot be cloned, for example without a Kptfile in Porch's flavour. */
function cloneOf({ origin, source }: UpstreamRevision, folder: string, { clones }: RenderContext): RenderedFiles | undefined {
  const target = { name: folder, packagePath: folder, origin, updateStrategy: 'resource-merge' } as const
  return attempt(() => finishClone(clones.of(source).prepared, target), FunctionError)
}

/**
 * Returns the clone after the functions of the package ran, each time twice: with its Kptfile and package context as cloned, and as
 * functions wrote them. The functions get the pipeline from the package, and the data of the package context: all of it, and that of the
 * variant alone, since functions wrote the rest if they write it again. Returns nothing if no function ran.
 */
function afterFunctions(
  clone: RenderedFiles,
  owned: OwnedPackage,
  upstream: UpstreamRevision,
  renderContext: RenderContext,
): readonly RenderedFiles[] {
  const { files } = owned
  const piped = withFieldOf(clone, files, KPTFILE, 'pipeline')
  const [whole, ofVariant] = [withFieldOf(piped, files, CONTEXT_FILE, 'data'), withDataOfVariant(piped, owned)]
  const isSame = equalJson(dataIn(whole) ?? null, dataIn(ofVariant) ?? null)
  return [whole, ...(isSame ? [] : [ofVariant])].flatMap((given) => runOn(given, clone, upstream, renderContext))
}

/** Returns a clone with the data of the package context that kpt and the variant wrote into the package. */
function withDataOfVariant(clone: RenderedFiles, owned: OwnedPackage): RenderedFiles {
  const keys = [...KPT_KEYS, ...keysWritten(owned).data]
  const theirs = asRecord(objectsIn(owned.files.get(CONTEXT_FILE))[0]?.get(['data']))
  return withFields(clone, CONTEXT_FILE, new Map(keys.map((key) => [['data', key], lookup(theirs, key)])))
}

function dataIn(files: RenderedFiles): JsonValue | undefined {
  return objectAt(files, CONTEXT_FILE)?.get(['data'])
}

function runOn(
  given: RenderedFiles,
  clone: RenderedFiles,
  upstream: UpstreamRevision,
  renderContext: RenderContext,
): readonly RenderedFiles[] {
  const { functions } = renderContext
  if (functions === undefined) return []
  const read = (path: string): Uint8Array => renderedBytes(path, { files: given }, { upstream }, renderContext) ?? new Uint8Array()
  const pkg = { folder: upstream.source.place, upstream: upstream.source.files, paths: [...given.keys()], read }
  const run = answered(functions.forComparison.run(pkg))
  if (run.outcome !== 'done' || run.ran.length === 0) return []
  const { rendered, own } = mergeSide({ files: given, run, source: upstream.source }, renderContext)
  const cloned = [...clone].filter(([path]) => path === KPTFILE || path === CONTEXT_FILE)
  return [new Map([...rendered, ...cloned]), new Map([...rendered, ...asCloned(own, given, clone)])]
}

/**
 * Returns the Kptfile and package context as functions wrote them, but for what they left as it was given to them, which is as the clone
 * has it: people may have changed the pipeline and the data.
 */
function asCloned(own: RenderedFiles, given: RenderedFiles, clone: RenderedFiles): RenderedFiles {
  const fieldsOf = (path: string): readonly FieldPath[] =>
    path === KPTFILE ? [['pipeline']] : Object.keys(asRecord(objectAt(own, path)?.get(['data']))).map((key) => ['data', key])
  return [...own.keys()].reduce((files, path) => {
    const [now, before, cloned] = [own, given, clone].map((each) => objectAt(each, path))
    const left = fieldsOf(path).filter((field) => equalJson(now?.get(field) ?? null, before?.get(field) ?? null))
    return withFields(files, path, new Map(left.map((field) => [field, cloned?.get(field)])))
  }, own)
}

/** Returns a clone with a field of the first object of a file as the package has it. */
function withFieldOf(clone: RenderedFiles, files: PackageFiles, path: string, field: string): RenderedFiles {
  const [theirs] = objectsIn(files.get(path))
  return theirs === undefined ? clone : withFields(clone, path, new Map([[[field], theirs.get([field])]]))
}

function withFields(files: RenderedFiles, path: string, fields: ReadonlyMap<FieldPath, JsonValue | undefined>): RenderedFiles {
  const [one, ...others] = objectsIn(files.get(path))
  if (one === undefined) return files
  const object = one.object.draft()
  for (const [field, value] of fields) {
    if (value === undefined) object.delete(field)
    else object.set(field, value)
  }
  return new Map([...files, [path, [{ ...one, object }, ...others]]])
}

function editsSince(
  clone: { readonly files: RenderedFiles; readonly layouts: OwnedPackage['layouts'] },
  owned: OwnedPackage,
  { variantNames }: RenderContext,
): readonly string[] {
  const { owner, files, layouts, variant } = owned
  const name = owner.variant.replace(/^.*\//, '')
  const maker: Maker = {
    variant: variant ?? { labels: NONE, annotations: NONE },
    owners: { owner: name, others: variantNames.beginningWith(name) },
    wrote: keysWritten(owned),
  }
  const edited = new Set(localEdits(clone.files, files, maker))
  const hasComment = (path: string): boolean =>
    hasOwnComment(path, clone.files, files) || ownCommentsBetween(layouts.get(path), clone.layouts.get(path)).length > 0
  return [...new Set([...clone.files.keys(), ...files.keys()])].filter((path) => edited.has(path) || hasComment(path)).sort()
}

/** Returns the keys that the variant wrote into the package. */
function keysWritten({ files, variant }: OwnedPackage): VariantKeys {
  const [kptfile] = objectsIn(files.get(KPTFILE))
  const recorded = readVariantKeys(kptfile ?? { annotations: NONE })
  return variant === undefined ? recorded : unitedKeys(recorded, keysOfVariant(variant))
}

const NONE: ReadonlyMap<string, string> = new Map()

function hasOwnComment(path: string, clone: RenderedFiles, files: PackageFiles): boolean {
  const made = clone.get(path)
  if (made === undefined || isBytes(made)) return false
  return objectsIn(files.get(path)).some((ours, at) => {
    const merged = made[at]?.object
    return merged !== undefined && lostComments(merged, { base: undefined, ours }).length > 0
  })
}
