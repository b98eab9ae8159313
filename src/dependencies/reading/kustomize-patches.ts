import { attempt } from '../../attempt.ts'
import { asRecord, isRecord, type JsonRecord, type JsonValue, recordsOf, scalarText } from '../../json.ts'
import { groupOf } from '../../resource-list/identity.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { folderOf, joinPath, shortestPath } from '../../resource-list/package-of.ts'
import { FunctionError } from '../../result.ts'
import { childText, fieldAt, itemFields, textOfField } from './field.ts'
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
  const kustomizations = objects.filter(isKustomization)
  const files = new Set(kustomizations.flatMap(patchFiles))
  const named = new Set(kustomizations.flatMap(namedFiles))
  const targets = kustomizations.flatMap(targetsOf)
  return {
    isPatch: (object) => files.has(locationOf(object)),
    isTarget: (object) => targets.some((target) => mayMatch(target.kind, object.kind) && mayMatch(target.name, object.name)),
    passingOver(object) {
      const location = locationOf(object)
      if (named.has(location)) return undefined
      return kustomizations.map(locationOf).find((each) => folderOf(each) === folderOf(location))
    },
  }
}

function isKustomization({ apiVersion, file }: KrmObject): boolean {
  return apiVersion === undefined ? KUSTOMIZATION.test(file?.path ?? '') : groupOf(apiVersion) === KUSTOMIZE_GROUP
}

function patchFiles(kustomization: KrmObject): string[] {
  const patches = itemFields(fieldAt(kustomization, ['patches'])).map((item) => childText(item, 'path'))
  const merges = itemFields(fieldAt(kustomization, ['patchesStrategicMerge'])).map((item) => textOfField(item) ?? '')
  return [...patches, ...merges].filter((path) => path !== '').map((path) => fileAt(kustomization, path))
}

/** Returns the `target` of each patch of a Kustomization. */
function targetsOf(kustomization: KrmObject): readonly JsonRecord[] {
  const content = asRecord(attempt(() => kustomization.toJson(), FunctionError))
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
function namedFiles(kustomization: KrmObject): readonly string[] {
  const texts = textsIn(attempt(() => kustomization.toJson(), FunctionError)).filter((text) => !text.includes('\n'))
  return texts.flatMap((text) => [text, text.slice(text.indexOf('=') + 1)]).map((path) => fileAt(kustomization, path))
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (isRecord(value)) return Object.entries(value).flatMap(([key, each]) => (key === 'target' && isRecord(each) ? [] : textsIn(each)))
  return typeof value === 'string' ? [value] : []
}

function fileAt(kustomization: KrmObject, path: string): string {
  return shortestPath(joinPath(folderOf(locationOf(kustomization)), path))
}
