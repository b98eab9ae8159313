import type { KptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { mergeComment, type UpstreamName } from '../../merge/clone-marks.ts'
import { editedFiles, isContextFile } from '../../merge/edited-files.ts'
import { isBytes, objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import type { Calls } from '../../pipeline/calls.ts'
import { identityOfObject } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import { hasErrors, type Result } from '../../result.ts'
import { writeOrigin } from '../../upstream/origin.ts'
import { permissionsOf, type SourcePackage } from '../../upstream/source-package.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { contentsOf, draftOf, objectAt, type RenderedFiles, type RenderedObject } from '../clone/rendered-package.ts'
import { markUpstream } from '../clone/upstream-mark.ts'
import { WorkingPackage } from '../clone/working-package.ts'
import { lostCommentsBetween } from '../edits/comments-between.ts'
import { type RenderContext, type RenderedPackage, type RenderRequest, renderedBytes } from '../render-request.ts'
import type { MergeSide, MergeSides, NewPackage } from '../runs/merge-sides.ts'
import { lostFunctions } from './lost-functions.ts'
import { asFunctionsLeft, type LeftPackage, type SidesRun, sidesAfterFunctions, sidesOfUpdate, updateEdited } from './revision-sides.ts'
import type { FormerRevision } from './run-functions.ts'
import { askedRevisions, type Revisions } from './subpackage-revisions.ts'
import { comparedBefore, editsInTheWay, placedBelow } from './update-findings.ts'
import { allowsEdits, type PackageUpdate, strategyOf, type UpdatedPackage } from './update-package.ts'

/** A package of a variant whose subpackages are to be updated, at the revision of its variant. */
interface Parent extends RenderedPackage {
  readonly from?: FormerRevision
}

/** The package of a variant before a render, and the revision that it was at. */
export interface ParentRequest extends RenderRequest {
  readonly downstream: PackageFiles
  readonly former: UpstreamRevision
}

/** Returns a new package of a revision with the run of its functions; undefined if it cannot be made or its functions cannot run. */
export type NewPackages = (upstream: UpstreamRevision) => Calls<NewPackage | undefined>

/**
 * Updates the subpackages that have an upstream of their own and ask for another revision of it: `upstream` of their Kptfile names v2, and
 * `upstreamLock` v1. Each is merged as a package, by the strategy of its Kptfile, after the update of the package around it; kpt and Porch
 * do the same, `kpt pkg update` for each subpackage and `porchctl rpkg upgrade --subpackage-dir` for one.
 *
 * A subpackage that the upstream of the package has at the same revision (`isCarried`) comes with the package, and is not updated here.
 * A value that the functions of the package write into a subpackage is no edit: the merge compares the two revisions after these functions.
 */
export function* updateSubpackages<P extends Parent>(
  parent: P,
  request: ParentRequest,
  newPackage: NewPackages,
  renderContext: RenderContext,
): Calls<P> {
  const folders = [...parent.files.keys()].filter((path) => isKptfile(path) && path !== KPTFILE).map(folderOf)
  let updated = parent
  // A subpackage around another one comes first: its own update may bring, or change, the inner one.
  for (const folder of folders.sort()) {
    const kptfile = objectAt(updated.files, `${folder}/${KPTFILE}`)
    if (kptfile === undefined) continue
    const place = { folder, upstream: request.upstream.source.files, namespace: request.variant.namespace }
    const asked = askedRevisions(kptfile, place, renderContext.upstreams)
    if (asked === undefined) continue
    updated =
      'results' in asked
        ? withResults(updated, asked.results)
        : yield* updateOne(updated, { ...request, ...asked, inner: folder, kptfile }, newPackage, renderContext)
  }
  return updated
}

function withResults<P extends Parent>(parent: P, results: readonly Result[]): P {
  return { ...parent, results: [...parent.results, ...results] }
}

/** A subpackage that asks for another revision. */
interface Asking extends ParentRequest {
  /** The folder of the subpackage in its package. */
  readonly inner: string
  readonly kptfile: KrmObject
  readonly value: KptfileUpstream
  readonly revisions: Revisions
}

function* updateOne<P extends Parent>(parent: P, asking: Asking, newPackage: NewPackages, renderContext: RenderContext): Calls<P> {
  const { inner, kptfile, revisions } = asking
  const { base, theirs } = revisions
  const run = yield* innerSides(asking, revisions, newPackage, renderContext)
  const own = named(below(parent.files, inner), run?.sides?.base.files ?? base.source.files)
  const left = { request: asking, inner, base }
  const update = updateOf(contentsOf(own), asking, revisions, run?.sides, renderContext)
  const { ours, place, strategy } = update
  const refs = { base: base.origin.ref, theirs: theirs.origin.ref }
  const edits = allowsEdits(strategy, renderContext.options) ? [] : yield* editsOf(update, left, renderContext)
  const found = [
    ...(edits.length === 0 ? [] : [editsInTheWay(kptfile, edits, strategy)]),
    ...lostFunctions({ base: base.source.files, theirs: theirs.source.files, ours, variant: kptfile, refs }),
  ]
  if (hasErrors(found)) return withResults(parent, found)
  const { base: former, ...updated } = yield* updateEdited(update, left, renderContext)
  const notes = run?.unrun === undefined ? [] : [comparedBefore(kptfile, run.unrun)]
  const results = [...found, ...updated.results.map((result) => placedBelow(result, base.source.place, place)), ...notes]
  if (hasErrors(results)) return withResults(parent, results)
  const layouts = run?.sides?.theirs.layouts ?? theirs.source.layouts
  const whole = withUpdated(parent, { ...updated, own, former, inner, layouts }, revisions, renderContext)
  return withResults(whole, [...results, ...commentsLost(whole, revisions, asking, renderContext)])
}

/** Returns the update of a subpackage, which is that of a package. */
function updateOf(
  ours: PackageFiles,
  { inner, folder, layouts = new Map(), value }: Asking,
  revisions: Revisions,
  sides: MergeSides | undefined,
  renderContext: RenderContext,
): PackageUpdate {
  return {
    ...sidesOfUpdate(revisions, sides, renderContext),
    ours,
    layouts: below(layouts, inner),
    strategy: strategyOf(value, renderContext.options),
    place: `${folder}/${inner}`,
    variantKeys: [],
  }
}

interface UpdatedSubpackage extends UpdatedPackage, Required<Pick<RenderedPackage, 'layouts'>> {
  readonly inner: string
  /** Its files before the update. */
  readonly own: RenderedFiles
  /** The revision that it was at, as functions leave it. */
  readonly former: PackageFiles
}

/** Returns a package with an updated subpackage. */
function withUpdated<P extends Parent>(
  parent: P,
  { inner, own, former, files, layouts, outcomes }: UpdatedSubpackage,
  { base, theirs }: Revisions,
  renderContext: RenderContext,
): P {
  return {
    ...parent,
    files: new Map([...outside(parent.files, inner), ...at(inner, withOrigins(withLock(files, theirs, renderContext), own))]),
    layouts: new Map([...(parent.layouts ?? []), ...at(inner, layouts)]),
    modes: new Map([...(parent.modes ?? []), ...at(inner, permissionsOf(base.source, theirs.source))]),
    raised: [...(parent.raised ?? []), { folder: inner, from: base.origin.ref, to: theirs.origin.ref }],
    outcomes: [...parent.outcomes, ...outcomes.map((outcome) => ({ ...outcome, path: `${inner}/${outcome.path}` }))],
    ...(parent.from && { from: withFormer(parent.from, inner, { source: base.source.files, base: former }) }),
  }
}

/** Returns the files of a subpackage that people edited. */
function* editsOf({ base, ours, sides }: PackageUpdate, left: LeftPackage, renderContext: RenderContext): Calls<readonly string[]> {
  const found = editedFiles(base, ours)
  if (sides === undefined || found.length === 0) return found
  const again = yield* asFunctionsLeft(sides, found, left, renderContext)
  return editedFiles(again.base.files, ours)
}

/**
 * Returns both revisions of a subpackage as the functions of the package around it leave them: those of the revision that the package was
 * at for the old one, those of the new revision for the new one. Undefined if there are no functions.
 */
function* innerSides(
  asking: Asking,
  revisions: Revisions,
  newPackage: NewPackages,
  renderContext: RenderContext,
): Calls<SidesRun | undefined> {
  const { inner, former, upstream } = asking
  const around = { base: former, theirs: upstream }
  const newOf = function* (side: keyof Revisions) {
    const { source: own } = revisions[side]
    const whole = withSubpackage(around[side], inner, own)
    const made = yield* newPackage(whole)
    const place = (path: string) =>
      path.startsWith(`${inner}/`) ? `${own.place}${path.slice(inner.length)}` : `${whole.source.place}/${path}`
    return made && { ...made, placeOf: place }
  }
  const run = yield* sidesAfterFunctions(revisions, newOf, asking, renderContext, true)
  if (run?.sides === undefined) return run
  const { base, theirs } = run.sides
  return { sides: { base: sideOf(base, inner, revisions.base.source), theirs: sideOf(theirs, inner, revisions.theirs.source) } }
}

function withSubpackage(revision: UpstreamRevision, folder: string, subpackage: SourcePackage): UpstreamRevision {
  const { source } = revision
  const files = new Map([...outside(source.files, folder), ...at(folder, subpackage.files)])
  const layouts = new Map([...outside(source.layouts, folder), ...at(folder, subpackage.layouts)])
  return { ...revision, source: { ...source, files, layouts } }
}

/**
 * Returns the part of a side in a folder. A package context that a clone writes there is left out, since people may have cloned without it.
 */
function sideOf({ files, rendered, layouts }: MergeSide, folder: string, { files: written }: SourcePackage): MergeSide {
  const isMade = (path: string): boolean => isContextFile(path) && !written.has(path)
  const part = <T>(all: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
    new Map([...below(all, folder)].filter(([path]) => !isMade(path)))
  return { files: part(files), rendered: part(rendered), layouts: part(layouts), own: new Map() }
}

/**
 * Returns the files with the names of upstream on the resources that a function of the package around them renamed, or gave a namespace. A
 * clone writes these names; people may have copied the subpackage.
 */
function named(own: RenderedFiles, former: PackageFiles): RenderedFiles {
  return new Map(
    [...own].map(([path, content]) => {
      const sources = new Map(objectsIn(former.get(path)).map((object) => [identityOfObject(object), mergeComment(object)]))
      return [path, isBytes(content) ? content : content.map((one) => withName(one, sources.get(identityOfObject(one.object))))]
    }),
  )
}

function withName(one: RenderedObject, name: UpstreamName | undefined): RenderedObject {
  const { name: now = '', namespace = '' } = one.object
  if (name === undefined || (name.name === now && name.namespace === namespace) || mergeComment(one.object) !== undefined) return one
  const object = draftOf(one)
  markUpstream(object, name)
  return { ...one, object }
}

/**
 * Writes the revision that a subpackage was brought to into its Kptfile. A folder has no commit: then `upstream` alone names the revision.
 */
function withLock(files: RenderedFiles, { origin }: UpstreamRevision, { options }: RenderContext): RenderedFiles {
  const working = new WorkingPackage(files)
  const { upstreamLock } = writeOrigin(origin, options.clone, 'resource-merge')
  if (upstreamLock === undefined) working.kptfile.delete(['upstreamLock'])
  else working.kptfile.set(['upstreamLock'], upstreamLock)
  return working.contents
}

/**
 * Returns the files with the objects that the package had before as drafts of the objects on disk, as the update of the package left them.
 */
function withOrigins(files: RenderedFiles, before: RenderedFiles): RenderedFiles {
  const known = new Map(
    [...before.values()].flatMap((content) => (isBytes(content) ? [] : content.map((one) => [one.object, one] as const))),
  )
  const restored = (one: RenderedObject): RenderedObject => {
    const { from, source } = known.get(one.source) ?? one
    return { ...one, from, source }
  }
  return new Map([...files].map(([path, content]) => [path, isBytes(content) ? content : content.map(restored)]))
}

/** Returns the revision that a package was at, with that of a subpackage. */
function withFormer(
  from: FormerRevision,
  folder: string,
  former: { readonly source: PackageFiles; readonly base: PackageFiles },
): FormerRevision {
  return {
    ...from,
    source: new Map([...from.source, ...at(folder, former.source)]),
    *base() {
      const files = yield* from.base()
      return files && new Map([...files, ...at(folder, former.base)])
    },
  }
}

function commentsLost(
  whole: RenderedPackage,
  { base, theirs }: Revisions,
  asking: Asking,
  renderContext: RenderContext,
): readonly Result[] {
  const { inner, layouts = new Map() } = asking
  const sides = { base: at(inner, base.source.layouts), theirs: at(inner, theirs.source.layouts), ours: at(inner, below(layouts, inner)) }
  return lostCommentsBetween(sides, asking, (path) => renderedBytes(path, whole, asking, renderContext))
}

/** Returns the entries below a folder, by their paths in the folder. */
function below<T>(all: ReadonlyMap<string, T>, folder: string): ReadonlyMap<string, T> {
  return new Map(
    [...all].flatMap(([path, value]) => (path.startsWith(`${folder}/`) ? [[path.slice(folder.length + 1), value] as const] : [])),
  )
}

function outside<T>(all: ReadonlyMap<string, T>, folder: string): ReadonlyMap<string, T> {
  return new Map([...all].filter(([path]) => !path.startsWith(`${folder}/`)))
}

function at<T>(folder: string, all: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...all].map(([path, value]) => [`${folder}/${path}`, value]))
}
