import { BLUEPRINT, withPackage } from '../../merge/clone-marks.ts'
import { isBytes, type PackageFiles } from '../../merge/package-files.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { isKptfile, KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError, type Result } from '../../result.ts'
import { made, type RenderedContent, type RenderedFiles, type RenderedObject, unchanged } from '../rendered-package.ts'
import { contextFile, contextPath, kptfilePaths, withoutPackageContexts } from './clone-context.ts'
import { type CloneTarget, cloneKptfile, KPTFILE_VERSION } from './clone-kptfile.ts'
import type { CloneFlavour } from './flavour.ts'
import { hasSharedAnnotations, markUpstream } from './upstream-mark.ts'

/** Annotations by which an orchestrator tells a function where an object is. In a file they are left over from somewhere. */
const PLACES = [
  'config.kubernetes.io/index',
  'config.kubernetes.io/path',
  'internal.config.kubernetes.io/index',
  'internal.config.kubernetes.io/path',
]

/** A clone of a package without what differs from one downstream package to the next: the Kptfile, and the package context beside it. */
export interface PreparedClone {
  readonly flavour: CloneFlavour
  readonly files: RenderedFiles
  readonly kptfile: RenderedObject
  /** `package-context.yaml` beside the Kptfile: as upstream has it, and without its package context. */
  readonly context: { readonly before: RenderedContent | undefined; readonly without: RenderedContent | undefined }
}

/** A package that is to be made. */
export interface CloneDownstream extends CloneTarget {
  /** Where it is in its repository; Porch writes it into the package context. */
  readonly packagePath: string
}

/**
 * The downstream package that an upstream package becomes, as `kpt pkg get --for-deployment` makes it or as Porch does. None of the files
 * that are given is changed; bytes of everything that a clone does not write stay (docs/porch.md).
 *
 * @throws FunctionError  when the Kptfile is none that kpt reads, or, for Porch, not there
 */
export function clonePackage(upstream: PackageFiles, downstream: CloneDownstream, flavour: CloneFlavour): RenderedFiles {
  return finishClone(prepareClone(upstream, flavour), downstream)
}

/** What the clones of one package have in common. */
export function prepareClone(upstream: PackageFiles, flavour: CloneFlavour): PreparedClone {
  const given: RenderedFiles = new Map([...upstream].map(([path, content]) => [path, unchanged(content, 'upstream')]))
  const bare = withoutPackageContexts(given)
  const files = new Map([...bare].map(([path, content]) => [path, marked(path, content, flavour)]))
  for (const path of kptfilePaths(given)) if (path !== KPTFILE && flavour === 'kpt') addSubpackageContext(files, path, given)
  const context = { before: given.get(contextPath(KPTFILE)), without: files.get(contextPath(KPTFILE)) }
  return { flavour, files, kptfile: rootKptfile(given, flavour), context }
}

/** The clone for one downstream package. */
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
 * The package's own Kptfile; where there is none, kpt makes one.
 *
 * @throws FunctionError  as Porch does, where there is none
 */
function rootKptfile(files: RenderedFiles, flavour: CloneFlavour): RenderedObject {
  const content = files.get(KPTFILE)
  const [kptfile] = content === undefined || isBytes(content) ? [] : content
  if (kptfile !== undefined) return kptfile
  if (flavour === 'porch') throw new FunctionError([NO_KPTFILE])
  return made({ apiVersion: KPTFILE_VERSION, kind: 'Kptfile', metadata: { name: '' } })
}

const NO_KPTFILE: Result = {
  severity: 'error',
  message: 'the upstream package must have a Kptfile, as Porch clones no other',
  tags: { rule: 'kptfile-missing' },
}

/** The file with what a clone writes on resources. kpt leaves Kptfiles out of it, Porch does not. */
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

/** kpt gives each subpackage a package context with the name that its Kptfile has. */
function addSubpackageContext(files: Map<string, RenderedContent>, kptfilePath: string, given: RenderedFiles): void {
  const path = contextPath(kptfilePath)
  const kptfile = given.get(kptfilePath)
  const name = kptfile === undefined || isBytes(kptfile) ? '' : (kptfile[0]?.object.name ?? '')
  files.set(path, contextFile(given.get(path), files.get(path), { name }))
}

/**
 * Says on a resource of Config Connector that it comes from a package, beside what else had a hand in it: `krm-pkg`, or `kpt-pkg-fn` where
 * kpt left `kpt-fn` (kpt internal/util/attribution).
 */
export function markBlueprint(object: KrmObject): void {
  if (!object.isMap() || object.apiVersion?.includes('.cnrm.') !== true) return
  const before = object.annotations.get(BLUEPRINT) ?? ''
  const after = withPackage(before)
  if (after !== before && !hasSharedAnnotations(object)) object.set(['metadata', 'annotations', BLUEPRINT], after)
}

/**
 * Takes away what a file says of where its objects are, as every tool does that writes one (kyaml kio/byteio_writer.go). In a list these
 * annotations are the wire's.
 */
function dropPlaces(object: KrmObject): void {
  if (!object.isDocument) return
  for (const place of PLACES)
    if (object.get(['metadata', 'annotations', place]) !== undefined) object.delete(['metadata', 'annotations', place])
}
