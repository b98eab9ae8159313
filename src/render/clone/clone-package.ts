import type { UpdateStrategy } from '../../kinds/kptfile-upstream.ts'
import { BLUEPRINT, withPackage } from '../../merge/clone-marks.ts'
import { isBytes, objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError, type Result } from '../../result.ts'
import { type UpstreamOrigin, writeOrigin } from '../../upstream/origin.ts'
import type { CloneFlavour } from '../../upstream/repository-options.ts'
import { upstreamKptfileFaults } from '../../upstream/upstream-faults.ts'
import { KPTFILE_API, UPSTREAM_TREE_ANNOTATION } from '../../well-known.ts'
import { contextFile, contextPath, kptfilePaths, withoutContexts } from './clone-context.ts'
import { made, objectAt, type RenderedContent, type RenderedFiles, type RenderedObject, unchanged } from './rendered-package.ts'
import { dropMergeComment, hasSharedAnnotations, markUpstream } from './upstream-mark.ts'

/** Annotations in which an orchestrator gives a function the place of an object. In a file they are leftovers. */
const PLACES = [
  'config.kubernetes.io/index',
  'config.kubernetes.io/path',
  'internal.config.kubernetes.io/index',
  'internal.config.kubernetes.io/path',
]

/** The part of a clone that is the same for every downstream package: all files but the Kptfile and the package context beside it. */
export interface PreparedClone {
  readonly flavour: CloneFlavour
  readonly files: RenderedFiles
  readonly kptfile: RenderedObject
  /** `package-context.yaml` beside the Kptfile, as upstream has the file and without its package context. */
  readonly context: { readonly before: RenderedContent | undefined; readonly without: RenderedContent | undefined }
}

/** A downstream package to be created. */
export interface CloneDownstream extends CloneTarget {
  /** The path of the package in its repository, which Porch writes into the package context. */
  readonly packagePath: string
}

/**
 * Returns the part that all clones of a package share. The given files are not changed. Files that a clone does not write keep their bytes
 * (docs/porch.md).
 *
 * @throws FunctionError  when the Kptfile is of another kind or version; in Porch's flavour also when it is missing
 */
export function prepareClone(upstream: PackageFiles, flavour: CloneFlavour): PreparedClone {
  const given: RenderedFiles = new Map([...upstream].map(([path, content]) => [path, unchanged(content, 'theirs')]))
  const bare = withoutContexts(upstream)
  const files = new Map([...bare].map(([path, content]) => [path, marked(path, unchanged(content, 'theirs'), flavour)]))
  for (const path of kptfilePaths(given)) if (path !== KPTFILE && flavour === 'kpt') addSubpackageContext(files, path, given)
  const context = { before: given.get(contextPath(KPTFILE)), without: files.get(contextPath(KPTFILE)) }
  return { flavour, files, kptfile: rootKptfile(given, flavour), context }
}

/** Returns the clone for one downstream package, as `kpt pkg get --for-deployment` or Porch creates it. */
export function finishClone(
  { flavour, files, kptfile: { from, source }, context }: PreparedClone,
  downstream: CloneDownstream,
): RenderedFiles {
  const kptfile = source.draft()
  cloneKptfile(kptfile, downstream, flavour)
  const { name, packagePath } = downstream
  const contexts = contextFile(context.before, context.without, flavour === 'kpt' ? { name } : { name, 'package-path': packagePath })
  if (flavour === 'porch' && !isBytes(contexts)) for (const { object } of contexts) markUpstream(object)
  return new Map([...files, [KPTFILE, [{ from, source, object: kptfile }]], [contextPath(KPTFILE), contexts]])
}

/**
 * Returns the package's own Kptfile; in kpt's flavour a new one if it is missing.
 *
 * @throws FunctionError  in Porch's flavour, if the Kptfile is missing
 */
function rootKptfile(files: RenderedFiles, flavour: CloneFlavour): RenderedObject {
  const [kptfile] = objectsIn(files.get(KPTFILE))
  if (kptfile !== undefined) return kptfile
  if (flavour === 'porch') throw new FunctionError([NO_KPTFILE])
  return made({ apiVersion: KPTFILE_API, kind: 'Kptfile', metadata: { name: '' } })
}

const NO_KPTFILE: Result = {
  severity: 'error',
  message: 'the upstream package must have a Kptfile, as Porch clones no other',
  tags: { rule: 'kptfile-missing' },
}

/** Returns a file with the marks of a clone on its resources. kpt does not mark Kptfiles of subpackages, Porch does. */
function marked(path: string, content: RenderedContent, flavour: CloneFlavour): RenderedContent {
  if (isBytes(content) || path === KPTFILE || (isKptfile(path) && flavour === 'kpt')) return content
  return content.map((one) => {
    const object = one.source.draft()
    dropPlaces(object)
    markUpstream(object)
    if (flavour === 'kpt') markBlueprint(object)
    return { ...one, object }
  })
}

/** Adds the package context of a subpackage, named as its Kptfile, as kpt does. */
function addSubpackageContext(files: Map<string, RenderedContent>, kptfilePath: string, given: RenderedFiles): void {
  const path = contextPath(kptfilePath)
  files.set(path, contextFile(given.get(path), files.get(path), { name: objectAt(given, kptfilePath)?.name ?? '' }))
}

/**
 * Adds `krm-pkg` to the blueprint annotation of a Config Connector resource, or replaces `kpt-fn` with `kpt-pkg-fn` (kpt
 * internal/util/attribution).
 */
export function markBlueprint(object: KrmObject): void {
  if (!object.isMap() || object.apiVersion?.includes('.cnrm.') !== true) return
  const before = object.annotations.get(BLUEPRINT) ?? ''
  const after = withPackage(before)
  if (after !== before && !hasSharedAnnotations(object)) object.set(['metadata', 'annotations', BLUEPRINT], after)
}

/**
 * Removes the place annotations from an object of a file, as every tool that writes files does (kyaml kio/byteio_writer.go). In a list,
 * the annotations are part of the wire format and stay.
 */
function dropPlaces(object: KrmObject): void {
  if (!object.isDocument) return
  for (const place of PLACES)
    if (object.get(['metadata', 'annotations', place]) !== undefined) object.delete(['metadata', 'annotations', place])
}

/** The name, origin and update strategy of a clone. */
interface CloneTarget {
  readonly name: string
  readonly origin: UpstreamOrigin
  readonly updateStrategy: UpdateStrategy
}

/**
 * Turns the Kptfile of an upstream package into that of its clone. Comments and unknown fields stay.
 *
 * @throws FunctionError  when the kind is not Kptfile or the apiVersion is not kpt.dev/v1
 */
function cloneKptfile(kptfile: KrmObject, { name, origin, updateStrategy }: CloneTarget, flavour: CloneFlavour): void {
  const faults = upstreamKptfileFaults(kptfile)
  if (faults.length > 0) throw new FunctionError(faults)
  kptfile.set(['metadata', 'name'], name)
  if (flavour === 'kpt') kptfile.delete(['metadata', 'namespace'])
  setOrigin(kptfile, origin, updateStrategy, flavour)
  dropMergeComment(kptfile)
  if (flavour === 'porch') markUpstream(kptfile)
}

/** Writes the upstream of a package, with the lock if the commit is known and the tree if a variant of the fleet makes the upstream. */
export function setOrigin(kptfile: KrmObject, origin: UpstreamOrigin, updateStrategy: UpdateStrategy, flavour: CloneFlavour): void {
  const { upstream, upstreamLock } = writeOrigin(origin, flavour, updateStrategy)
  kptfile.set(['upstream'], upstream)
  if (upstreamLock === undefined) kptfile.delete(['upstreamLock'])
  else kptfile.set(['upstreamLock'], upstreamLock)
  const tree = ['metadata', 'annotations', UPSTREAM_TREE_ANNOTATION]
  if (origin.tree !== undefined) kptfile.set(tree, origin.tree)
  else if (kptfile.annotations.has(UPSTREAM_TREE_ANNOTATION)) kptfile.delete(tree)
}
