import { objectsOf, readResources } from '../../folder/read-whole-package.ts'
import { definedEntries, groupBy } from '../../group-by.ts'
import { annotatedIdentity, identityIn, mergeComment } from '../../merge/clone-marks.ts'
import { hasNewComment, isContextFile } from '../../merge/edited-files.ts'
import type { MergeOutcome } from '../../merge/merged-package.ts'
import { isBytes, objectsIn, type PackageContent, type PackageFiles } from '../../merge/package-files.ts'
import type { Calls } from '../../pipeline/calls.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { joinPath, KPTFILE } from '../../resource-list/package-of.ts'
import type { UpstreamRevision } from '../../upstream/upstream-search.ts'
import { mergeScope } from '../clone/merge-scope.ts'
import { type RenderedContent, unchanged } from '../clone/rendered-package.ts'
import { differsByInjection } from '../edits/local-edits.ts'
import type { RenderContext, RenderRequest } from '../render-request.ts'
import { type MergeSides, mergeSides, type NewPackage } from '../runs/merge-sides.ts'
import { packageToRun } from './run-functions.ts'
import type { Revisions } from './subpackage-revisions.ts'
import { type PackageUpdate, type UpdatedPackage, updatePackage } from './update-package.ts'

/** The sides of a merge after their functions ran, or the ref of the revision whose functions cannot run. */
export interface SidesRun {
  readonly sides?: MergeSides
  readonly unrun?: string
}

/**
 * Returns the two revisions of an update as new packages of the variant would be, after their functions ran: what differs between the old
 * one and the package is what people did, or what the functions wrote with another config (`asFunctionsLeft`). Undefined if functions are
 * left to kpt, or neither the revisions nor the package on disk have any.
 *
 * @param newPackage  makes the new package of a revision; undefined if it cannot be made or its functions cannot run
 * @param request     of the package on disk, whose last function may be gone from the variant
 * @param readsAll    as for `mergeSides`
 */
export function* sidesAfterFunctions(
  { base, theirs }: Revisions,
  newPackage: (side: keyof Revisions) => Calls<NewPackage | undefined>,
  request: LeftPackage['request'],
  renderContext: RenderContext,
  readsAll: boolean,
): Calls<SidesRun | undefined> {
  const { functions } = renderContext
  if (functions === undefined) return undefined
  const made = { base: yield* newPackage('base'), theirs: yield* newPackage('theirs') }
  if (made.base === undefined || made.theirs === undefined) return { unrun: (made.base === undefined ? base : theirs).origin.ref }
  const hasRun = made.base.run.ran.length + made.theirs.run.ran.length > 0
  if (!hasRun && !functions.mayRun(packageToRun({ files: filesOnDisk(request) }, request, renderContext))) return undefined
  return { sides: mergeSides(made.base, made.theirs, renderContext, readsAll) }
}

/** Returns the parts of an update that its revisions decide. */
export function sidesOfUpdate({ base, theirs }: Revisions, sides: MergeSides | undefined, { clones, scopes, options }: RenderContext) {
  return {
    base: sides?.base.files ?? base.source.files,
    theirs: sides?.theirs.files ?? theirs.source.files,
    upstream: theirs.source.files,
    ...(sides && { sides }),
    flavour: options.clone,
    scope: sides === undefined ? scopes.of(base.source, theirs.source) : mergeScope(sides.base, sides.theirs),
    clones: { base: clones.of(base.source), theirs: clones.of(theirs.source) },
  }
}

/** A package on disk, and the revision that it, or one of its folders, was last brought to. */
export interface LeftPackage {
  readonly request: RenderRequest & { readonly downstream: PackageFiles }
  /** The folder that has an upstream of its own; '' for the package. */
  readonly inner: string
  readonly base: UpstreamRevision
}

/**
 * Returns sides whose old revision has the given files as the functions of the package on disk write them.
 *
 * `sidesAfterFunctions` gives the old revision the functions of today's variant. If their config changed since the last render, an unedited
 * object differs from that:
 *
 *   old revision, config of today  team: blue     package on disk  team: red
 *
 * The package on disk still has its functions with their config, setters and context. So its functions run once more, with the given files
 * as upstream has them: what they write there is no edit. What a function wrote that left the package on disk in an earlier render stays an
 * edit: neither the variant nor the package holds its config any more.
 */
export function* asFunctionsLeft(
  sides: MergeSides,
  paths: readonly string[],
  left: LeftPackage,
  renderContext: RenderContext,
): Calls<MergeSides> {
  const written = yield* writtenFiles(paths, left, renderContext)
  const files = new Map<string, PackageContent>()
  for (const [path, objects] of written) {
    const content = sides.base.files.get(path)
    if (content !== undefined && !isBytes(content)) files.set(path, asWritten(content, objects, objectsIn(sides.theirs.files.get(path))))
  }
  const rendered = new Map([...files].map(([path, content]) => [path, unchanged(content, 'theirs')]))
  const base = {
    ...sides.base,
    files: new Map([...sides.base.files, ...files]),
    rendered: new Map([...sides.base.rendered, ...rendered]),
  }
  return { ...sides, base }
}

/**
 * Returns objects as other functions write the same objects, which may rename them. Namesakes in upstream are paired in their order. An
 * object in braces has no mark of its upstream name: one that upstream removes is the object at its place, if that has the name of no other
 * object.
 */
export function asWritten(
  content: readonly KrmObject[],
  written: readonly KrmObject[],
  theirs: readonly KrmObject[],
): readonly KrmObject[] {
  const known = groupBy(written, nameOf)
  const stays = new Set(theirs.map(nameOf))
  const named = content.map((object) => known.get(nameOf(object))?.shift())
  const claimed = new Set(named)
  return content.map((object, index) => {
    const at = content.length === written.length ? written[index] : undefined
    const isFree = at !== undefined && !claimed.has(at) && at.kind === object.kind && !isMarked(at)
    const isRenamed = isFree && !isMarked(object) && !stays.has(nameOf(object))
    return named[index] ?? (isRenamed ? at : object)
  })
}

function nameOf(object: KrmObject): string {
  return annotatedIdentity(object) ?? identityIn(object)
}

function isMarked(object: KrmObject): boolean {
  return mergeComment(object) !== undefined || annotatedIdentity(object) !== undefined
}

/**
 * Returns the files of the old revision with an object in braces that neither side has: a function of the package on disk may have renamed
 * it.
 */
function filesWithRenamed({ base, theirs, ours }: PackageUpdate): readonly string[] {
  return [...base].flatMap(([path, content]) => {
    const there = new Set([...objectsIn(theirs.get(path)), ...objectsIn(ours.get(path))].map(nameOf))
    const isRenamed = (object: KrmObject) => !isMarked(object) && !there.has(nameOf(object))
    return ours.has(path) && objectsIn(content).some(isRenamed) ? [path] : []
  })
}

/** Returns the objects of files of the old revision after the functions of the package on disk ran; empty if these cannot run. */
function* writtenFiles(
  paths: readonly string[],
  { request, inner, base }: LeftPackage,
  renderContext: RenderContext,
): Calls<ReadonlyMap<string, readonly KrmObject[]>> {
  const { functions, clones } = renderContext
  const { downstream } = request
  const clone = clones.of(base.source)
  const at = (path: string): string => joinPath(inner, path)
  // The functions must read their pipeline and the package context as they are on disk.
  const reset = paths.filter((path) => path !== KPTFILE && !isContextFile(path) && downstream.has(at(path)))
  const cloned = reset.flatMap((path) => {
    const content = clone.prepared.files.get(path)
    return content === undefined || isBytes(content) ? [] : [[path, content] as const]
  })
  if (functions === undefined || cloned.length === 0) return new Map()
  const files = filesOnDisk(request)
  for (const [path, content] of cloned) files.set(at(path), content)
  const upstreamLayouts = new Map([...base.source.layouts].map(([path, layout]) => [at(path), layout]))
  const pkg = packageToRun({ files, layouts: upstreamLayouts }, request, renderContext)
  const run = yield* functions.forComparison.run(pkg)
  if (run.outcome !== 'done') return new Map()
  const objectsAt = (path: string) => {
    const bytes = run.changed.has(at(path)) ? run.changed.get(at(path)) : pkg.read(at(path))
    const layout = bytes && readResources(path, bytes).layout
    return layout && objectsOf(layout)
  }
  return definedEntries(cloned.map(([path]) => [path, objectsAt(path)]))
}

function filesOnDisk({ downstream }: LeftPackage['request']): Map<string, RenderedContent> {
  return new Map([...downstream].map(([path, content]) => [path, unchanged(content, 'ours')]))
}

/**
 * Updates a package. If something that upstream removed or changed stays because it looks edited, the package is compared once more, with
 * what its functions wrote (`asFunctionsLeft`) and what its variant injected; and again if more files look edited then.
 */
export function* updateEdited(
  update: PackageUpdate,
  left: LeftPackage,
  renderContext: RenderContext,
): Calls<UpdatedPackage & Pick<PackageUpdate, 'base'>> {
  let compared = update
  let updated = updatePackage(update)
  let paths = new Set<string>()
  while (true) {
    const edited = updated.outcomes.filter(looksEdited).flatMap(({ path }) => filesAt(path, compared))
    const all = new Set([...paths, ...edited, ...filesWithRenamed(update)])
    if (all.size === paths.size) return { ...updated, base: compared.base }
    paths = all
    const sides = update.sides && (yield* asFunctionsLeft(update.sides, [...paths], left, renderContext))
    const base = withInjected(sides?.base.files ?? update.base, [...paths], update)
    if (base === update.base) return { ...updated, base }
    compared = { ...update, base, ...(sides && { sides, scope: mergeScope(sides.base, sides.theirs) }) }
    updated = updatePackage(compared)
  }
}

/** Returns the old revision with the injected values of objects that upstream removed: an object that has only these is unedited. */
function withInjected(base: PackageFiles, paths: readonly string[], { theirs, ours }: PackageUpdate): PackageFiles {
  const injected = paths.flatMap((path) => {
    const content = objectsIn(base.get(path))
    const [there, stays] = [objectsIn(ours.get(path)), new Set(objectsIn(theirs.get(path)).map(identityIn))]
    const own = new Map(there.filter((object) => !stays.has(identityIn(object))).map((object) => [identityIn(object), object]))
    const now = content.map((object) => {
      const found = own.get(identityIn(object))
      return found !== undefined && differsByInjection(object, found) && !hasNewComment([object], [found]) ? found : object
    })
    return now.every((object, at) => object === content[at]) ? [] : [[path, now] as const]
  })
  return injected.length === 0 ? base : new Map([...base, ...injected])
}

function looksEdited({ result, contested, ours }: MergeOutcome): boolean {
  return result !== 'taken' && contested && ours.exists
}

/** Returns the files of an outcome, which is about a file, also one that got a resource of another file, or about a whole subpackage. */
function filesAt(path: string, { base, scope }: PackageUpdate): readonly string[] {
  const own = base.has(path) ? [path] : [...base.keys()].filter((file) => file.startsWith(`${path}/`))
  return [...own, ...scope.moves.filter(({ to }) => to === path).map(({ from }) => from)]
}
