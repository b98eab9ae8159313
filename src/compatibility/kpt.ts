import { lookup, scalarText } from '../json.ts'
import { DEFAULT_PREFIX, imageFault } from '../pipeline/image.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { KPTFILE } from '../resource-list/package-of.ts'
import { quoteText } from '../schema/describe-value.ts'
import { shortImages, unknownFields } from './functions-of-systems.ts'
import { ownKinds } from './own-kinds.ts'
import { pipelineFunctions, type WrittenFunction } from './pipeline-functions.ts'
import type { KptFacts, SystemDifferences, SystemFault } from './system-differences.ts'

/** Returns the differences of a version of kpt (docs/kpt.md). kpt makes no packages of sets: it runs the pipelines of their packages. */
export function kptDifferences(facts: KptFacts): SystemDifferences {
  return {
    refused: new Set(),
    refusedInPackages: new Set(['template-file']),
    replaced: new Set(),
    faults: (items) => [
      ...pipelineFunctions(items).flatMap((fn) => [
        ...unknownFields(fn, facts, 'kpt-unknown-field'),
        ...shortImages(fn, facts, DEFAULT_PREFIX),
        ...programs(fn),
        ...noImages(fn),
      ]),
      ...(facts.refusesRenderStatus === true ? renderStatuses(items, facts) : []),
      ...ownKinds(items, 'kpt-unknown-kind'),
      ...namelessLists(items, facts),
    ],
  }
}

/** Returns an error for an image of a Kptfile that is no image reference, such as 'A B': kpt refuses the Kptfile, as `run` does. */
function noImages({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  const image = scalarText(lookup(fields, 'image'))
  const reason = image === '' || object.kind !== KPTFILE ? undefined : imageFault(image)
  if (reason === undefined) return []
  return [{ object, severity: 'error', rule: 'function-image', path: [...path, 'image'], message: `${reason}, got ${quoteText(image)}` }]
}

function renderStatuses(items: readonly KrmObject[], { name }: KptFacts): readonly SystemFault[] {
  const path = ['status', 'renderStatus']
  const message = `must not be set for ${name}, which refuses the Kptfile; newer versions write the field`
  return items
    .filter((object) => object.kind === KPTFILE && object.get(path) !== undefined)
    .map((object) => ({ object, severity: 'error', rule: 'kpt-unknown-field', path, message, atKey: true }))
}

/** Returns an error for each list of objects without a name: `run` and `render` take it, kpt refuses its package. */
function namelessLists(items: readonly KrmObject[], { name }: KptFacts): readonly SystemFault[] {
  const message = `must be set for ${name}, which refuses a list without a name`
  return items
    .filter((object) => object.kind?.endsWith('List') === true && Array.isArray(object.get(['items'])) && (object.name ?? '') === '')
    .map((object) => ({ object, severity: 'error', rule: 'not-a-resource', path: ['metadata', 'name'], message }))
}

function programs({ object, path, fields }: WrittenFunction): readonly SystemFault[] {
  if (!Object.hasOwn(fields, 'exec')) return []
  const message = 'runs with kpt only where `kpt fn render --allow-exec` is called on a machine that has the program'
  return [{ object, severity: 'warning', rule: 'kpt-needs-allow-exec', path: [...path, 'exec'], message }]
}
