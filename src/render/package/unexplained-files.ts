import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { isBytes, objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import { lostComments } from '../../resource-list/lost-comments.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError } from '../../result.ts'
import { CONTEXT_FILE } from '../../variant/package-context.ts'
import type { UpstreamRevision } from '../source/upstream-search.ts'
import { finishClone } from './clone-package.ts'
import { localEdits, type Maker } from './local-edits.ts'
import { mergeSide } from './merge-sides.ts'
import type { OwnerAnnotation } from './owner-annotation.ts'
import { type RenderContext, renderedBytes } from './render-request.ts'
import type { RenderedFiles } from './rendered-package.ts'

/** A package of a variant, read whole. */
export interface OwnedPackage {
  readonly folder: string
  readonly owner: OwnerAnnotation
  /** The labels and annotations that the variant writes; undefined for a package whose variant is gone. */
  readonly variant?: Maker['variant']
  readonly files: PackageFiles
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
 * (`localEdits`): functions with the variant's name, data of the package context, injected values, and labels and annotations of the
 * Kptfile that upstream does not have. A variant never writes comments, so an own comment counts as an edit. What the functions of the
 * package's own Kptfile write is no edit either.
 */
export function unexplainedFiles({ folder, owner, files, variant }: OwnedPackage, renderContext: RenderContext): UnexplainedFiles {
  const [kptfile] = objectsIn(files.get('Kptfile'))
  const written = kptfile && readKptfileUpstream(kptfile).value
  const { revisions, reason } = renderContext.upstreams.recorded(written ?? {}, owner.variant.replace(/\/.*$/, ''))
  const compared = revisions.flatMap((revision) => {
    const clone = cloneOf(revision, folder, renderContext)
    return clone === undefined ? [] : [clone, ...afterFunctions(clone, files, revision, renderContext)]
  })
  const [first, ...others] = compared.map((clone) => editsSince(clone, { owner, files, ...(variant && { variant }) }, renderContext))
  if (first === undefined) return { paths: [...files.keys()], reason: reason ?? 'it is none that can be cloned' }
  return { paths: others.reduce((fewest, paths) => (paths.length < fewest.length ? paths : fewest), first) }
}

/** Returns the clone of a revision; undefined if it cannot be cloned, for example without a Kptfile in Porch's flavour. */
function cloneOf({ origin, source }: UpstreamRevision, folder: string, { clones }: RenderContext): RenderedFiles | undefined {
  try {
    const { prepared } = clones.of(source)
    return finishClone(prepared, { name: folder, packagePath: folder, origin, updateStrategy: 'resource-merge' })
  } catch (error) {
    if (error instanceof FunctionError) return undefined
    throw error
  }
}

/**
 * Returns the clone after the functions of the package ran, twice: with its Kptfile and package context as cloned, and as functions wrote them.
 * The functions get the pipeline and the data of the package context from the package: the variant wrote these. Returns nothing if no function
 * ran.
 */
function afterFunctions(
  clone: RenderedFiles,
  files: PackageFiles,
  upstream: UpstreamRevision,
  renderContext: RenderContext,
): readonly RenderedFiles[] {
  const { functions } = renderContext
  if (functions === undefined) return []
  const given = withFieldOf(withFieldOf(clone, files, KPTFILE, 'pipeline'), files, CONTEXT_FILE, 'data')
  const read = (path: string): Uint8Array => renderedBytes(path, { files: given }, { upstream }, renderContext) ?? new Uint8Array()
  const pkg = { folder: upstream.source.place, upstream: upstream.source.files, paths: [...given.keys()], read }
  const run = functions.forComparison.run(pkg)
  if (run.outcome !== 'done' || run.ran.length === 0) return []
  const { rendered, own } = mergeSide({ files: given, run, source: upstream.source }, renderContext)
  const cloned = [...clone].filter(([path]) => path === KPTFILE || path === CONTEXT_FILE)
  return [new Map([...rendered, ...cloned]), new Map([...rendered, ...own])]
}

/** Returns a clone with a field of the only object of a file as the package has it. */
function withFieldOf(clone: RenderedFiles, files: PackageFiles, path: string, field: string): RenderedFiles {
  const content = clone.get(path)
  const [theirs] = objectsIn(files.get(path))
  const [one] = content === undefined || isBytes(content) ? [] : content
  if (one === undefined || theirs === undefined) return clone
  const object = one.object.draft()
  const value = theirs.get([field])
  if (value === undefined) object.delete([field])
  else object.set([field], value)
  return new Map([...clone, [path, [{ ...one, object }]]])
}

function editsSince(
  clone: RenderedFiles,
  { owner, files, variant = { labels: NONE, annotations: NONE } }: Pick<OwnedPackage, 'owner' | 'files' | 'variant'>,
  { variantNames }: RenderContext,
): readonly string[] {
  const name = owner.variant.replace(/^.*\//, '')
  const maker: Maker = { variant, owners: { owner: name, others: variantNames.beginningWith(name) } }
  const edited = new Set(localEdits(clone, files, maker))
  return [...new Set([...clone.keys(), ...files.keys()])].filter((path) => edited.has(path) || hasOwnComment(path, clone, files)).sort()
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Returns true if a file has a comment that its clone does not have. */
function hasOwnComment(path: string, clone: RenderedFiles, files: PackageFiles): boolean {
  const made = clone.get(path)
  if (made === undefined || isBytes(made)) return false
  return objectsIn(files.get(path)).some((ours, at) => {
    const merged = made[at]?.object
    return merged !== undefined && lostComments(merged, { base: undefined, ours }).length > 0
  })
}
