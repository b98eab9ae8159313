import { attempt } from '../../attempt.ts'
import { asList, asRecord, isRecord, type JsonRecord, type JsonValue, recordsOf, scalarText } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, joinPath, shortestPath } from '../../resource-list/package-of.ts'
import { FunctionError } from '../../result.ts'
import { locationOf } from './object-metadata.ts'

/** The API group of Kustomizations and Components; a `kustomization.yaml` may leave it out. */
export const KUSTOMIZE_GROUP = 'kustomize.config.k8s.io'

const KUSTOMIZATION = /(^|\/)(kustomization\.ya?ml|Kustomization)$/

/** The files that the Kustomizations among some objects list, and those beside them that no Kustomization lists. */
export interface KustomizeFiles {
  /** Returns true for an object of a file that is listed as a patch: a part of another object, which the list need not have. */
  isPatch(object: KrmObject): boolean
  /** Returns true for an object that the `target` of a patch may select, so that the patch may set fields that the object lacks. */
  isTarget(object: KrmObject): boolean
  /**
   * Returns the file of the Kustomization in the folder of an object if no Kustomization names the object's file: then kustomize passes
   * over it.
   */
  passingOver(object: KrmObject): string | undefined
}

/** Returns what the Kustomizations among objects say: `patches` and `patchesStrategicMerge` list patches, which may have a `target`. */
export function kustomizeFiles(objects: readonly KrmObject[]): KustomizeFiles {
  const kustomizations = objects.filter(isKustomization).map(readKustomization)
  const files = new Set(kustomizations.flatMap(patchFiles))
  const named = new Set(kustomizations.flatMap(namedFiles))
  const targets = kustomizations.flatMap(targetsOf)
  return {
    isPatch: (object) => files.has(locationOf(object)),
    isTarget: (object) => targets.some((target) => mayMatch(target.kind, object.kind) && mayMatch(target.name, object.name)),
    passingOver(object) {
      const location = locationOf(object)
      if (named.has(location)) return undefined
      return kustomizations.map((each) => each.location).find((each) => folderOf(each) === folderOf(location))
    },
  }
}

function isKustomization({ apiVersion, file }: KrmObject): boolean {
  return apiVersion === undefined ? KUSTOMIZATION.test(file?.path ?? '') : groupOf(apiVersion) === KUSTOMIZE_GROUP
}

interface Kustomization {
  readonly location: string
  /** Empty for one that cannot be read, which is a fault of its own. */
  readonly content: JsonRecord
}

function readKustomization(object: KrmObject): Kustomization {
  return { location: locationOf(object), content: asRecord(attempt(() => object.toJson(), FunctionError)) }
}

function patchFiles({ location, content }: Kustomization): string[] {
  const paths = [...recordsOf(content.patches).map(({ path }) => path), ...asList(content.patchesStrategicMerge)]
  return paths.flatMap((path) => (typeof path === 'string' && path !== '' ? [fileAt(location, path)] : []))
}

/** Returns the `target` of each patch of a Kustomization. */
function targetsOf({ content }: Kustomization): readonly JsonRecord[] {
  return [...recordsOf(content.patches), ...recordsOf(content.patchesJson6902)].flatMap(({ target }) => (isRecord(target) ? [target] : []))
}

/** Returns true if the field of a target may be a text: kustomize takes the field as a regular expression, which is not run here. */
function mayMatch(wanted: JsonValue | undefined, text = ''): boolean {
  const pattern = scalarText(wanted)
  return pattern === '' || pattern === text || /[^\w-]/.test(pattern)
}

/**
 * Returns the files that a Kustomization may name in any field but the `target` of a patch, also as `KEY=FILE` in the `files` of a
 * generator. A patch in a text names none.
 */
function namedFiles({ location, content }: Kustomization): readonly string[] {
  const texts = textsIn(content).filter((text) => !text.includes('\n'))
  return texts.flatMap((text) => [text, text.slice(text.indexOf('=') + 1)]).map((path) => fileAt(location, path))
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (isRecord(value)) return Object.entries(value).flatMap(([key, each]) => (key === 'target' && isRecord(each) ? [] : textsIn(each)))
  return typeof value === 'string' ? [value] : []
}

function fileAt(location: string, path: string): string {
  return shortestPath(joinPath(folderOf(location), path))
}
