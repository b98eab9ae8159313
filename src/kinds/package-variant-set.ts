import type { FieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import type { Fault } from '../schema/fault.ts'
import { decode } from '../schema/validate.ts'
import type { Validator } from '../schema/validator.ts'
import { PACKAGE_VARIANT_SET_API, PORCH_CONFIG_GROUP } from '../well-known.ts'
import { nameFirst } from '../wording.ts'
import { OTHER_SELECTOR_VALUES } from './label-selector-rules.ts'
import { objectNameFaults } from './metadata-rules.ts'
import { conversionOf, convertOlderSet } from './older-set.ts'
import { PACKAGE_VARIANT_SET_SCHEMA, type PackageVariantSetFields } from './package-variant-set-schema.ts'
import { refusedField, SELECTION_ERROR, VALIDATION_ERROR } from './rule-fault.ts'
import { decodeTarget, targetFaults } from './target.ts'
import { namesRevision, OTHER_WORDS, REVISION_PATH, UPSTREAM_PATH, upstreamFaults, writtenUpstream } from './upstream-rules.ts'
import type { VariantSet } from './variant-set.ts'

const OLDER = `${PORCH_CONFIG_GROUP}/v1alpha1`
const VALIDATOR: Validator<typeof PACKAGE_VARIANT_SET_SCHEMA> = {
  schema: PACKAGE_VARIANT_SET_SCHEMA,
  reasonAt: (path) => (path.includes('matchExpressions') ? SELECTION_ERROR : VALIDATION_ERROR),
  // Field names of v1alpha1 and of public files.
  formerNames: {
    repoName: ['repositories'],
    repo: ['repositories'],
    objects: ['objectSelector'],
    labelSelector: ['matchLabels'],
    labels: ['matchLabels'],
    ...OTHER_WORDS,
    repository: ['repo', 'repositories'],
  },
  otherValues: OTHER_SELECTOR_VALUES,
  refuse: olderSetFault,
  rules: setFaults,
}

/**
 * Decodes a PackageVariantSet. Accepted irregular shapes are returned in their regular form, with a warning for each.
 *
 * @throws FunctionError  with every fault: those of strict decoding, of the controller's validation (seed 001, Validation), and of
 * docs/porch.md 16, 18, 20, 21
 */
export function decodePackageVariantSet(object: KrmObject): { set: VariantSet; warnings: Result[] } {
  const { value, warnings } = decode(object, VALIDATOR)
  const { upstream, targets } = value.spec
  const set: VariantSet = {
    object,
    upstreams: [{ ...upstream, written: writtenUpstream(upstream), object, path: UPSTREAM_PATH }],
    targets: targets.map((target, index) => decodeTarget(target, [...TARGETS_PATH, index])),
    exclusions: [],
    overrides: [],
    inputs: [],
    rings: [],
  }
  return { set, warnings }
}

const TARGETS_PATH: FieldPath = ['spec', 'targets']

function setFaults({ metadata, spec: { upstream, targets } }: PackageVariantSetFields) {
  const missing = "must have 'revision' or 'workspaceName'"
  return [
    ...objectNameFaults(metadata),
    ...upstreamFaults(upstream, UPSTREAM_PATH),
    ...(namesRevision(upstream) ? [] : [refusedField('upstream-revision', UPSTREAM_PATH, missing, REVISION_PATH)]),
    ...targets.flatMap((target, index) => targetFaults(target, [...TARGETS_PATH, index])),
  ]
}

/**
 * Returns the only fault of a set of v1alpha1, whose fields differ: the old fields and the new ones, and what a person must decide.
 * Proposes the newer version if the set can be converted. Returns undefined for other versions.
 */
function olderSetFault(object: KrmObject): Fault | undefined {
  if (object.apiVersion !== OLDER) return undefined
  const { moves, unclear } = conversionOf(object)
  const isConverted = unclear.length === 0 && convertOlderSet(object.draft())
  return {
    severity: 'error',
    rule: 'older-api-version',
    path: ['apiVersion'],
    message: `must be '${PACKAGE_VARIANT_SET_API}', got '${OLDER}', which no API server serves; ${wayFrom(moves, unclear, isConverted)}`,
    ...(isConverted && { proposedValue: PACKAGE_VARIANT_SET_API }),
  }
}

const NAMED_MOVES = 3

/** Returns the way to v1alpha2: the command that converts the set, or what a person must decide first. */
function wayFrom(moves: readonly string[], unclear: readonly string[], isConverted: boolean): string {
  const fields =
    moves.length === 0 ? 'the fields of the set are those of v1alpha2 already' : `fields move: ${nameFirst(moves, NAMED_MOVES)}`
  if (unclear.length > 0)
    return `\`check --fix\` converts the set without what has no counterpart in v1alpha2; take that out, and write it in the new form afterwards: ${unclear.join('; ')}`
  return isConverted ? `\`check --fix\` converts the set; ${fields}` : `${fields}; convert it by hand, so that no comment is lost`
}
