import { compareFieldPaths, type FieldPath, formatFieldPath, pathKey } from '../../field-path.ts'
import type { FileTree } from '../../folder/file-tree.ts'
import { equalJson, type JsonValue } from '../../json.ts'
import { KPTFILE_SCHEMA } from '../../kinds/kptfile-schema.ts'
import { PACKAGE_OWNER_ANNOTATIONS } from '../../lifecycle/owner-annotation.ts'
import { objectsIn, type PackageFiles } from '../../merge/package-files.ts'
import { isMadeByRender } from '../../pipeline/check-runs.ts'
import { type PackageInTree, type PipelineItem, packagesInTree, pathBelow } from '../../pipeline/package-tree.ts'
import { functionsIn, type PipelineStep } from '../../pipeline/pipeline-steps.ts'
import type { MatchedPackage } from '../../pipeline/run-pipelines.ts'
import { functionName } from '../../pipeline/step-run.ts'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { KPTFILE } from '../../resource-list/package-of.ts'
import { FunctionError, type Result } from '../../result.ts'
import { quoteText } from '../../schema/describe-value.ts'
import { faultToResult } from '../../schema/fault.ts'
import { validate } from '../../schema/validate.ts'
import { isPackageContext } from '../../variant/package-context.ts'
import { configFile } from '../../variant/pipeline-function.ts'
import { INJECTION_ANNOTATION, UPSTREAM_TREE_ANNOTATION } from '../../well-known.ts'
import { nameFirst } from '../../wording.ts'
import { repairsOf } from './repairs.ts'

/*
 * The next render needs some objects of a package: Kptfiles (a package without one belongs to no variant), package contexts, injection
 * points, and the configs that its functions read by `configPath`. `kpt fn render` lets a function remove them, since kpt does not render
 * the result again.
 *
 *   pipeline  apply-setters, remove-local-config-resources    Kptfile  local-config: "true"
 *   kpt       writes the package without its Kptfile          render   keeps the Kptfile, with a warning
 *
 * A function that the upstream package has itself was written for kpt, so what it removes stays on disk. Any other function is refused.
 * In a package that no variant made, `run` keeps the Kptfiles alone: without these, the next run finds no package. What a function writes
 * into a Kptfile and kpt then refuses, such as `data` by search-replace, has the same fate.
 */

/** An object that the next render needs. */
interface NeededObject {
  /** The object where it is now. */
  item: PipelineItem
  /** True if the object must stay in its file; else it may move to another file of its package. */
  readonly hasFixedPath: boolean
  /** The values that no function may change. */
  readonly fields: { readonly path: readonly string[]; value: JsonValue | undefined }[]
  /** The text of a Kptfile that kpt reads. */
  kptfile?: string
}

const IDENTITY: readonly (readonly string[])[] = [['apiVersion'], ['kind'], ['metadata', 'name']]
const POINT_FIELDS = [...IDENTITY, ['metadata', 'annotations', INJECTION_ANNOTATION]]
const KPTFILE_FIELDS = [
  ...IDENTITY,
  ['upstream'],
  ['upstreamLock'],
  ...[...PACKAGE_OWNER_ANNOTATIONS, UPSTREAM_TREE_ANNOTATION].map((key) => ['metadata', 'annotations', key]),
]

/**
 * Returns a guard that puts the objects back that the next render needs.
 *
 * @param upstream  the upstream package, whose own functions may remove such objects; absent if no function may, `any` if every function
 *   may,
 *                  `no-variant` for a package that no variant made
 */
export function neededObjectsGuard(upstream: PackageFiles | 'any' | 'no-variant' | undefined): NonNullable<MatchedPackage['guard']> {
  return (root) => {
    const neededOf = upstream === 'no-variant' ? kptfilesIn : neededIn
    const needed = packagesInTree(root).flatMap(neededOf)
    return (step, folder, { before, after }) => {
      const given = new Set(before.map(({ object }) => object))
      const fate = fateOf(step, folder, upstream)
      const own = needed.filter(({ item }) => given.has(item.object))
      if (fate !== 'refused') followNames(own)
      const { items, losses, faults } = withNeeded(after, own)
      const results = [
        ...(losses.length === 0 ? [] : [finding(step, losses, fate)]),
        ...(faults.length === 0 ? [] : [faultyKptfile(step, faults, fate)]),
      ]
      if (fate === 'refused' && results.length > 0) throw new FunctionError(results)
      return { items, results }
    }
  }
}

/** The fate of an object that a function removes: `kptfile` for the Kptfile of a package that no variant made. */
type Fate = 'kptfile' | 'kept' | 'refused'

function fateOf(step: PipelineStep, folder: string, upstream: PackageFiles | 'any' | 'no-variant' | undefined): Fate {
  if (upstream === 'no-variant') return 'kptfile'
  return upstream === 'any' || (upstream !== undefined && hasFunction(upstream, folder, step)) ? 'kept' : 'refused'
}

/** Returns the guard of a package that another command than `render` runs, which does not know its upstream. */
export function guardOfRendered(tree: FileTree): MatchedPackage['guard'] {
  const hasKptfile = tree.list('').some(({ name, type }) => name === KPTFILE && type === 'file')
  return hasKptfile ? neededObjectsGuard(isMadeByRender(tree) ? 'any' : 'no-variant') : undefined
}

function kptfilesIn({ items }: PackageInTree): readonly NeededObject[] {
  const kptfiles = items.filter(({ path }) => path === KPTFILE)
  return kptfiles.map((item) => ({
    item,
    hasFixedPath: true,
    fields: [{ path: ['kind'], value: item.object.kind }],
    kptfile: item.object.toText(),
  }))
}

function neededIn({ folder, items, kptfile }: PackageInTree): readonly NeededObject[] {
  const configs = new Set(functionsIn(kptfile).map(({ configPath }) => configFile(configPath)))
  return items.flatMap((item): NeededObject[] => {
    const { object, path } = item
    const need = (paths: readonly (readonly string[])[], hasFixedPath: boolean): NeededObject[] => [
      { item, hasFixedPath, fields: paths.map((field) => ({ path: field, value: object.get(field) })) },
    ]
    if (path === KPTFILE) return need(KPTFILE_FIELDS, true).map((needed) => ({ ...needed, kptfile: object.toText() }))
    if (configs.has(path)) return need([], true)
    if (isPackageContext(object)) return need(IDENTITY, false)
    return folder === '' && isPoint(item) ? need(POINT_FIELDS, false) : []
  })
}

/** Takes the new names of injection points: a function that renames a point renames it in the objects that refer to the point too. */
function followNames(needed: readonly NeededObject[]): void {
  for (const { item, fields } of needed) {
    const name = isPoint(item) ? fields.find(({ path }) => path.at(-1) === 'name') : undefined
    if (name !== undefined) name.value = item.object.name
  }
}

function isPoint({ object }: PipelineItem): boolean {
  return object.annotations.has(INJECTION_ANNOTATION) && !isPackageContext(object)
}

/** Returns the items after a function with the needed objects as they were before, and what the function did to these, in words. */
function withNeeded(after: readonly PipelineItem[], needed: readonly NeededObject[]) {
  const items = [...after]
  const losses: string[] = []
  const faults: string[] = []
  for (const one of needed) {
    const { item, fields } = one
    const shown = quoteText(pathBelow(item.folder, item.path))
    // A program that drops the annotations of the list returns the object as a new one.
    const at = items.findIndex(({ object }) => object === item.object)
    const place = at >= 0 ? at : items.findIndex((other) => isAtPlaceOf(item, other) && other.object.kind === item.object.kind)
    const now = items[place]
    if (now === undefined) {
      losses.push(`removes ${shown}`)
      items.push(item)
      continue
    }
    const changed = fields.filter(({ path, value }) => !equalJson(now.object.get(path), value))
    for (const { path, value } of changed) restore(now.object, path, value)
    losses.push(...changed.map(({ path }) => `changes \`${formatFieldPath(path)}\` of ${shown}`))
    faults.push(...withoutFaults(one, now.object).map((path) => `writes \`${formatFieldPath(path)}\` into ${shown}`))
    const isMoved = now.folder !== item.folder || (one.hasFixedPath && now.path !== item.path)
    if (isMoved) losses.push(`moves ${shown} to ${quoteText(pathBelow(now.folder, now.path))}`)
    one.item = isMoved ? { ...item, object: now.object } : now
    items[place] = one.item
  }
  return { items, losses, faults }
}

/**
 * Gives the fields of a changed Kptfile that kpt refuses their values back, and returns the paths of these fields. Faults that the Kptfile
 * had before the function stay. Entries of lists that the function added or moved stay too, if they are sound.
 */
function withoutFaults(needed: NeededObject, object: KrmObject): readonly FieldPath[] {
  const before = needed.kptfile
  if (before === undefined || object.toText() === before) return []
  const was = KrmObject.fromDocument(before)
  const older = new Set(errorsOf(was).map(faultKey))
  const errors = errorsOf(object).filter((error) => !older.has(faultKey(error)))
  const faults = errors.flatMap(({ field }) => (field === undefined ? [] : [field.path]))
  const repairs = faults.length === 0 ? [] : repairsOf(was.toJson(), object.toJson(), faults)
  for (const { path, value } of repairs) restore(object, path, value)
  needed.kptfile = object.toText()
  return repairs.map(({ path }) => path).sort(compareFieldPaths)
}

function errorsOf(kptfile: KrmObject): readonly Result[] {
  return validate(kptfile, { schema: KPTFILE_SCHEMA }).filter(({ severity }) => severity === 'error')
}

function faultKey({ field, message }: Result): string {
  return `${pathKey(field?.path ?? [])} ${message}`
}

function restore(object: KrmObject, path: FieldPath, value: JsonValue | undefined): void {
  if (value === undefined) object.delete(path)
  else object.set(path, value)
}

function isAtPlaceOf(a: PipelineItem, b: PipelineItem): boolean {
  return a.folder === b.folder && a.path === b.path && a.index === b.index
}

/** Returns true if the Kptfile of an upstream package, or of one of its subpackages, has a function. */
function hasFunction(upstream: PackageFiles, folder: string, { name, image, exec }: PipelineStep): boolean {
  const [kptfile] = objectsIn(upstream.get(pathBelow(folder, KPTFILE)))
  const functions = kptfile === undefined ? [] : functionsIn(kptfile)
  return functions.some((fn) => fn.name === name && fn.image === image && fn.exec === exec)
}

const MOST_NAMED = 3

function finding(step: PipelineStep, losses: readonly string[], fate: Fate): Result {
  const { field, kptfile } = step
  const done = `${quoteText(functionName(step))} ${nameFirst(losses, MOST_NAMED)}`
  const kept =
    fate === 'kptfile' ? 'a folder without a Kptfile is no package, so it is kept' : 'the next render needs that, so it is kept as it was'
  const message =
    fate !== 'refused'
      ? `${done}: ${kept}`
      : `must leave what the next render needs as it is; ${done}: add an \`exclude\` to the function, or remove the function`
  return faultToResult(kptfile, { severity: fate === 'refused' ? 'error' : 'warning', rule: 'needed-by-render', path: field, message })
}

function faultyKptfile(step: PipelineStep, faults: readonly string[], fate: Fate): Result {
  const { field, kptfile } = step
  const done = `${quoteText(functionName(step))} ${nameFirst(faults, MOST_NAMED)}`
  const [must, end] = fate === 'refused' ? ['must leave a Kptfile that kpt reads; ', ''] : ['', ', so it is left out']
  const message = `${must}${done}, which kpt and the next run refuse${end}: add an \`exclude\` with the kind Kptfile to the function`
  return faultToResult(kptfile, { severity: fate === 'refused' ? 'error' : 'warning', rule: 'needed-by-render', path: field, message })
}
