import { asRecord, isRecord, type JsonRecord, type JsonValue } from '../../src/json.ts'
import { ALLOWED_KEY, ALLOWED_LABEL_VALUE } from '../../src/kinds/metadata-rules.ts'
import { isOfSelectors, misspeltMetadata, TEXT_NAMES } from '../../src/kinds/misread-metadata.ts'
import { STRING_MAP } from '../../src/kinds/object-meta-schema.ts'
import { isAnnotationKey, isLabelKey, isLabelValue } from '../../src/kubernetes/names.ts'
import { isLocalConfig } from '../../src/resource-list/applied-objects.ts'
import type { KrmObject } from '../../src/resource-list/krm-object.ts'
import { KPTFILE } from '../../src/resource-list/package-of.ts'
import { findingsOf, type Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { type Fault, faultToResult } from '../../src/schema/fault.ts'
import { mayHoldPlaceholder } from '../../src/schema/placeholders.ts'
import { isAmbiguous, validate } from '../../src/schema/validate.ts'
import { selectionOf } from '../../src/yaml/read/key-selection.ts'

const METADATA = selectionOf({ path: ['metadata'], keys: ['name', 'namespace', 'labels', 'annotations'] })

const SCHEMA = {
  type: 'object',
  properties: { metadata: { type: 'object', properties: { labels: STRING_MAP, annotations: STRING_MAP } } },
} as const

/**
 * Returns an error for a misspelt field of an object's metadata, a warning in an object that is never applied, and an error for names,
 * labels and annotations that an API server refuses: no map, a value that is no text, a key or a label value of another form (apimachinery
 * validation.ValidateObjectMeta). The names, keys and values of objects that are never applied may have any form, as may templates with
 * `$`, `{{` or `<NAME>`.
 *
 * @param isSelectable  true for an object that a set may select: a set that does not see its labels removes its packages
 */
export function objectMetadataFaults(object: KrmObject, isSelectable: boolean): readonly Result[] {
  if (object.kind === undefined || object.apiVersion === undefined) return []
  return findingsOf(() => {
    const [{ name = null, namespace = null, labels = null, annotations = null } = {}] = object.pick(METADATA)
    const typed = isOfTexts(labels) && isOfTexts(annotations) ? [] : validate(object, { schema: SCHEMA }).filter(isAboutMetadata)
    const isLocal = isLocalConfig(object)
    const severityOf = (fault: Fault) => (isLocal && !isOfFiles(object) && !(isSelectable && isOfSelectors(fault)) ? 'warning' : 'error')
    const misspelt = misspeltMetadata(object).map((fault) => faultToResult(object, { ...fault, severity: severityOf(fault) }))
    if (isOfFiles(object) || isLocal) return [...typed, ...misspelt]
    const named = isOfTexts({ name, namespace }) ? [] : validate(object, { schema: TEXT_NAMES }).filter(isAboutMetadata)
    const faults = [...labelFaults(asRecord(labels)), ...annotationFaults(asRecord(annotations))]
    return [...named, ...typed, ...misspelt, ...faults.map((fault) => faultToResult(object, fault))]
  })
}

/** The API groups of files that a tool reads and no API server gets: of kpt functions, kustomize and `crossplane xpkg build`. */
const FILE_GROUPS: ReadonlySet<string> = new Set(['config.kubernetes.io', 'kustomize.config.k8s.io', 'meta.pkg.crossplane.io'])

/** Returns true for an object of a kind that only files have. */
function isOfFiles({ kind, apiVersion = '' }: KrmObject): boolean {
  return kind === KPTFILE || FILE_GROUPS.has(apiVersion.split('/')[0] ?? '')
}

/** Returns true if a value is missing, or a map of texts without a doubt. */
function isOfTexts(value: JsonValue): boolean {
  if (value === null) return true
  return isRecord(value) && Object.values(value).every((each) => each === null || (typeof each === 'string' && !isAmbiguous(each)))
}

/** The rules of the schema that count: a placeholder may be replaced by a function of the package. */
const REPORTED: ReadonlySet<string> = new Set(['wrong-type', 'ambiguous-string'])

/** Returns true for a finding about the metadata. A value of null is the empty text for an API server. */
function isAboutMetadata({ field, tags }: Result): boolean {
  return field?.path[0] === 'metadata' && field.currentValue !== null && REPORTED.has(tags.rule)
}

const REFUSED = '; an API server refuses the object'

function labelFaults(labels: JsonRecord): readonly Fault[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const path = ['metadata', 'labels', key]
    const keyMessage = `must have a label key ${ALLOWED_KEY}, got ${quoteText(key)}${REFUSED}`
    return [
      ...(isLabelKey(key) || isTemplate(key) ? [] : [keyFault('label-key', path, keyMessage)]),
      ...(typeof value !== 'string' || isLabelValue(value) || isTemplate(value) ? [] : [valueFault(path, value)]),
    ]
  })
}

function annotationFaults(annotations: JsonRecord): readonly Fault[] {
  return Object.keys(annotations).flatMap((key) => {
    const message = `must have an annotation key ${ALLOWED_KEY}, got ${quoteText(key)}${REFUSED}`
    return isAnnotationKey(key) || isTemplate(key) ? [] : [keyFault('annotation-key', ['metadata', 'annotations', key], message)]
  })
}

/** Returns true for a text that becomes another one before an API server gets it: `${owner}`, `{{ owner }}`, `<OWNER>`. */
function isTemplate(text: string): boolean {
  return mayHoldPlaceholder(text) || /<[A-Za-z_][\w -]*>/.test(text)
}

function keyFault(rule: RuleId, path: readonly string[], message: string): Fault {
  return { severity: 'error', rule, path, message, place: path, atKey: true }
}

function valueFault(path: readonly string[], value: string): Fault {
  const message = `must be a label value: ${ALLOWED_LABEL_VALUE}, got ${quoteText(value)}${REFUSED}`
  return { severity: 'error', rule: 'label-value', path, message }
}
