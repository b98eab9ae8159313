import type { FieldPath } from '../field-path.ts'
import { groupBy } from '../group-by.ts'
import { scalarText } from '../json.ts'
import { isFunctionConfig } from '../kinds/function-config.ts'
import { DEFAULT_PREFIX } from '../pipeline/image.ts'
import { isLocalConfig } from '../resource-list/applied-objects.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { quoteText } from '../schema/describe-value.ts'
import { isPackageVariant } from '../variant/find-variant.ts'
import { OWNER_ANNOTATION, OWNER_LABEL } from '../well-known.ts'
import { countOf } from '../wording.ts'
import { imagesOfPorch, shortImages, unknownFields } from './functions-of-systems.ts'
import { ownKinds } from './own-kinds.ts'
import { isVariantSet, pipelineFunctions, recordsAt, templatesOf, type WrittenFunction } from './pipeline-functions.ts'
import type { PorchFacts, SystemDifferences, SystemFault } from './system-differences.ts'
import { missingWorkspaces, otherWorkspaces } from './upstream-workspaces.ts'

/** Returns the differences of a version of Porch, its API server and its controllers (docs/porch.md). */
export function porchDifferences(facts: PorchFacts): SystemDifferences {
  return {
    // The API server refuses these values, or drops the field for a client that asks for no validation; the controller ignores `name`, and
    // so makes other packages.
    refused: new Set(['string-revision', 'not-in-api', 'single-entry', 'ignored-by-porch', 'upstream-revision', 'function-program']),
    replaced: new Set(['upstream-revision-ignored']),
    faults: (items) => {
      const configs = items.filter(isFunctionConfig)
      return [
        ...missingWorkspaces(items),
        ...otherWorkspaces(items),
        ...pipelineFunctions(items).flatMap((fn) => [
          ...fieldsOfFunction(fn, facts),
          ...programs(fn),
          ...shortImages(fn, facts.kpt, DEFAULT_PREFIX),
          ...imagesOfPorch(fn, facts, configs),
        ]),
        ...items.flatMap((object) => [...droppedPoints(object, facts), ...pilingFunctions(object)]),
        ...ownKinds(items, 'porch-unknown-kind'),
        ...(facts.hasFunctionConfigs ? [] : configs.map((config) => unknownConfig(config, facts))),
        ...blockedSets(items),
      ]
    },
  }
}

const DROPPED: Readonly<Record<string, string>> = {
  tag: 'so the function would run with the tag of `image`, or with `latest`',
  configRef: 'so the function would run without its config; name the file in `configPath`',
  when: 'so the function would always run',
  point: 'so one source would go to every injection point of its kind',
}

/**
 * Returns an error for a field that the CRDs of a version do not have. Its API server refuses the object to kubectl, which validates
 * strictly since 1.27, and to a server-side apply, as that of Flux; it drops the field for a client that asks for no validation.
 */
function dropped(object: KrmObject, path: FieldPath, field: string, { name }: PorchFacts): SystemFault {
  const message = `must not be set for ${name}, whose API server refuses the object, or drops the field for a client that asks for no validation, ${DROPPED[field]}`
  return { object, severity: 'error', rule: 'porch-drops-field', path: [...path, field], message, atKey: true }
}

/** Returns an error for each field that the API server drops from a set or variant, or with which the kpt in Porch refuses the Kptfile. */
function fieldsOfFunction(fn: WrittenFunction, facts: PorchFacts): readonly SystemFault[] {
  const { object, path, fields } = fn
  if (object.kind === 'Kptfile') return unknownFields(fn, facts.kpt, 'porch-refuses-kptfile')
  return facts.droppedFields.filter((field) => Object.hasOwn(fields, field)).map((field) => dropped(object, path, field, facts))
}

function droppedPoints(object: KrmObject, facts: PorchFacts): readonly SystemFault[] {
  const holders = isPackageVariant(object) ? [['spec']] : templatesOf(object)
  return holders.flatMap((holder) =>
    recordsAt(object, [...holder, 'injectors']).flatMap((injector, index) =>
      Object.hasOwn(injector, 'point') ? [dropped(object, [...holder, 'injectors', index], 'point', facts)] : [],
    ),
  )
}

/** Returns an error for a program in a Kptfile or a variant: Porch renders without programs of the machine (docs/porch.md F2). */
function programs({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  if ((object.kind !== 'Kptfile' && !isPackageVariant(object)) || !Object.hasOwn(fields, 'exec')) return []
  const message = 'must be an image for Porch, which runs no programs: every render of the package fails'
  return [{ object, severity: 'error', rule: 'porch-runs-no-programs', path: [...path, 'exec'], message }]
}

/**
 * Returns an error for a variant with functions whose name has a dot: the controller recognises its own functions by four parts between
 * dots, so it finds none of these and adds them once more with each reconcile (docs/porch.md 29).
 */
function pilingFunctions(object: KrmObject): readonly SystemFault[] {
  if (!isPackageVariant(object) || !object.name?.includes('.')) return []
  const functions = ['mutators', 'validators'].flatMap((stage) => recordsAt(object, ['spec', 'pipeline', stage]))
  if (functions.length === 0) return []
  const message = `must be without a dot for Porch, which else adds ${countOf(functions.length, 'function')} of \`spec.pipeline\` to the Kptfile once more with every reconcile`
  return [{ object, severity: 'error', rule: 'porch-dotted-name', path: ['metadata', 'name'], message }]
}

/** Returns a warning for a FunctionConfig that a version of Porch without the kind refuses. */
function unknownConfig(object: KrmObject, { name }: PorchFacts): SystemFault {
  const image = scalarText(object.get(['spec', 'image']))
  const message = `must not be 'FunctionConfig' for ${name}, which has no such kind: the API server refuses the object, and ${quoteText(image)} runs as without it`
  return { object, severity: 'warning', rule: 'porch-no-function-config', path: ['kind'], message }
}

/**
 * Returns a warning for each set without a uid whose variants are among the files. A controller with the set of the files makes variants of
 * the same names, finds that they exist, and stalls. A set that is sent to no cluster blocks nothing.
 */
function blockedSets(items: readonly KrmObject[]): readonly SystemFault[] {
  const unmarked = items.filter((object) => isPackageVariant(object) && !object.labels.get(OWNER_LABEL))
  const variants = groupBy(unmarked, ({ annotations }) => annotations.get(OWNER_ANNOTATION) ?? '')
  return items
    .filter((object) => isVariantSet(object) && !isLocalConfig(object))
    .flatMap((object): readonly SystemFault[] => {
      const made = variants.get(`${object.namespace ?? 'default'}/${object.name ?? ''}`) ?? []
      if (made.length === 0 || scalarText(object.get(['metadata', 'uid'])) !== '') return []
      const message = `must be that of the set in the cluster: without it, Porch's controller takes ${countOf(made.length, 'PackageVariant')} of the set in these files for those of others, and stalls; apply the set only, or the variants only, or write the uid into the variants (krm-variants adopt)`
      return [{ object, severity: 'warning', rule: 'porch-blocked-set', path: ['metadata', 'uid'], message }]
    })
}
