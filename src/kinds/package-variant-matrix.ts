import { type FieldPath, formatFieldPath } from '../field-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import type { Fault } from '../schema/fault.ts'
import { decode } from '../schema/validate.ts'
import type { Validator } from '../schema/validator.ts'
import { OTHER_SELECTOR_VALUES } from './label-selector-rules.ts'
import { objectNameFaults } from './metadata-rules.ts'
import {
  decodeUpstreamEntries,
  UPSTREAM_ENTRY_WORDS,
  UPSTREAMS_PATH,
  type UpstreamEntry,
  upstreamEntryFaults,
} from './package-revision-set.ts'
import {
  type ExclusionFields,
  type InputFields,
  MOST_VARIANTS,
  type OverrideFields,
  PACKAGE_VARIANT_MATRIX_SCHEMA,
  type PackageVariantMatrixFields,
  type RingFields,
} from './package-variant-matrix-schema.ts'
import type { TargetFields } from './package-variant-set-schema.ts'
import { decodeTarget, targetFaults } from './target.ts'
import { decodeTemplate, type Template } from './template.ts'
import { templateFaults } from './template-rules.ts'
import type { MatrixInput, PlaceExclusion, Ring, TemplateOverride, VariantSet } from './variant-set.ts'

/**
 * A decoded and valid PackageVariantMatrix (fleet.krm-variants.dev/v1alpha1): a set whose entries of `upstreams` may name
 * PackageRevisionSets, which are not looked up yet.
 */
export interface PackageVariantMatrix {
  readonly set: Omit<VariantSet, 'upstreams'>
  readonly upstreams: readonly (UpstreamEntry & { readonly template?: Template })[]
}

const VALIDATOR: Validator<typeof PACKAGE_VARIANT_MATRIX_SCHEMA> = {
  schema: PACKAGE_VARIANT_MATRIX_SCHEMA,
  formerNames: {
    ...UPSTREAM_ENTRY_WORDS,
    repoName: ['repositories'],
    objects: ['objectSelector'],
    labelSelector: ['matchLabels'],
    labels: ['matchLabels'],
  },
  otherValues: OTHER_SELECTOR_VALUES,
  rules: matrixFaults,
}

const TARGETS_PATH: FieldPath = ['spec', 'targets']
const TEMPLATE_PATH: FieldPath = ['spec', 'template']
const EXCLUDE_PATH: FieldPath = ['spec', 'exclude']
const OVERRIDES_PATH: FieldPath = ['spec', 'overrides']
const INPUTS_PATH: FieldPath = ['spec', 'inputs']
const RINGS_PATH: FieldPath = ['spec', 'rings']

/**
 * Decodes a PackageVariantMatrix. Accepted irregular shapes of targets and templates are returned in their regular form, with a warning
 * for each.
 *
 * @throws FunctionError  with every fault
 */
export function decodePackageVariantMatrix(object: KrmObject): { matrix: PackageVariantMatrix; warnings: Result[] } {
  const { value, warnings } = decode(object, VALIDATOR)
  const { upstreams, targets, exclude = [], template, inputs = [], overrides = [], rings = [], maxVariants = MOST_VARIANTS } = value.spec
  const set = {
    object,
    targets: targets.map((target, index) => decodeTarget(target, [...TARGETS_PATH, index])),
    ...(template && { template: decodeTemplate(template, TEMPLATE_PATH) }),
    exclusions: exclude.map(decodeExclusion),
    overrides: overrides.map(decodeOverride),
    inputs: inputs.map(decodeInput),
    rings: rings.map(decodeRing),
    maxVariants,
  }
  const entries = decodeUpstreamEntries(object, upstreams).map((entry, index) => {
    const own = upstreams[index]?.template
    return { ...entry, ...(own && { template: decodeTemplate(own, [...entry.path, 'template']) }) }
  })
  return { matrix: { set, upstreams: entries }, warnings }
}

function decodeExclusion(fields: ExclusionFields, index: number): PlaceExclusion {
  const { packages = [], reason } = fields
  const path = [...EXCLUDE_PATH, index]
  return {
    path,
    criteria: decodeTarget(criteriaOf(fields), path).criteria,
    packages: new Set(packages),
    ...(reason !== undefined && { reason }),
  }
}

function decodeInput({ name, object, optional = false }: InputFields, index: number): MatrixInput {
  const { apiVersion, kind, name: fixed = '', nameExpr } = object
  const at = [...INPUTS_PATH, index, 'object']
  const objectName =
    nameExpr === undefined ? { value: fixed, path: [...at, 'name'] } : { expression: { text: nameExpr, path: [...at, 'nameExpr'] } }
  return { name, apiVersion, kind, objectName, optional }
}

/** Returns the fault of an input whose object has no name, or two. */
function inputFaults({ object: { name, nameExpr } }: InputFields, path: FieldPath): readonly Fault[] {
  if ((name === undefined) !== (nameExpr === undefined)) return []
  const message = `must have 'name' or 'nameExpr', got ${name === undefined ? 'neither' : 'both'}`
  return [{ severity: 'error', rule: 'input-name', path: [...path, 'object'], message }]
}

function decodeRing({ name, where, revisions = {} }: RingFields, index: number): Ring {
  const path = [...RINGS_PATH, index]
  const condition = where === undefined ? {} : { where: { text: where, path: [...path, 'where'] } }
  return { path, name, ...condition, revisions: new Map(Object.entries(revisions)) }
}

/** Returns an error for each ring without `where` before the last ring: the ring has all targets, so that those after it have none. */
function openRingFaults(rings: readonly RingFields[]): readonly Fault[] {
  return rings.slice(0, -1).flatMap(({ where }, index): readonly Fault[] => {
    if (where !== undefined) return []
    const message = 'must be set: only the last ring may be without, this one would have every target and leave none to the rings after it'
    return [{ severity: 'error', rule: 'required', path: [...RINGS_PATH, index, 'where'], message }]
  })
}

function decodeOverride({ name, where, packages = [], template }: OverrideFields, index: number): TemplateOverride {
  const path = [...OVERRIDES_PATH, index]
  return {
    path,
    name,
    ...(where !== undefined && { where: { text: where, path: [...path, 'where'] } }),
    packages: new Set(packages),
    template: decodeTemplate(template, [...path, 'template']),
  }
}

function matrixFaults({
  metadata,
  spec: { upstreams, targets, exclude = [], template, inputs = [], overrides = [], rings = [] },
}: PackageVariantMatrixFields): readonly Fault[] {
  return [
    ...objectNameFaults(metadata),
    ...upstreamEntryFaults(upstreams),
    ...upstreams.flatMap((entry, index) => (entry.template ? templateFaults(entry.template, [...UPSTREAMS_PATH, index, 'template']) : [])),
    ...targets.flatMap((target, index) => targetFaults(target, [...TARGETS_PATH, index])),
    ...exclude.flatMap((exclusion, index) => targetFaults(criteriaOf(exclusion), [...EXCLUDE_PATH, index])),
    ...(template ? templateFaults(template, TEMPLATE_PATH) : []),
    ...overrides.flatMap((override, index) => templateFaults(override.template, [...OVERRIDES_PATH, index, 'template'])),
    ...nameFaults(overrides, OVERRIDES_PATH),
    ...inputs.flatMap((input, index) => inputFaults(input, [...INPUTS_PATH, index])),
    ...nameFaults(inputs, INPUTS_PATH),
    ...nameFaults(rings, RINGS_PATH),
    ...openRingFaults(rings),
  ]
}

function criteriaOf({ packages: _, reason: __, ...criteria }: ExclusionFields): TargetFields {
  return criteria
}

/** Returns an error for each entry of a list with the name of an earlier entry. */
function nameFaults(entries: readonly { readonly name: string }[], path: FieldPath): readonly Fault[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ name }, index): readonly Fault[] => {
    const earlier = first.get(name)
    if (earlier === undefined) {
      first.set(name, index)
      return []
    }
    const message = `must be a name of its own, got ${quoteText(name)}, the name of \`${formatFieldPath([...path, earlier])}\``
    return [{ severity: 'error', rule: 'duplicate-name', path: [...path, index, 'name'], message }]
  })
}
