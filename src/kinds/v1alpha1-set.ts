import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Fault } from '../schema/fault.ts'
import { PACKAGE_VARIANT_SET_API, PORCH_CONFIG_GROUP } from '../well-known.ts'

const OLDER = `${PORCH_CONFIG_GROUP}/v1alpha1`

// One line: kpt flattens messages.
const CURRENT_FORM =
  '{upstream: {repo, package, revision}, targets: [{repositories: [{name, packageNames}]} ' +
  'or {repositorySelector: {matchLabels}} or {objectSelector: {apiVersion, kind, matchLabels}}, ' +
  'each with template: {downstream: {repo, package}, adoptionPolicy, deletionPolicy, labels, annotations}]}'

/** The one fault of a set of v1alpha1, an API with other fields throughout; it shows what a v1alpha2 set looks like. */
export function olderSetFault(object: KrmObject): Fault | undefined {
  if (object.apiVersion !== OLDER) return undefined
  return {
    severity: 'error',
    rule: 'older-api-version',
    path: ['apiVersion'],
    message: `must be '${PACKAGE_VARIANT_SET_API}', got '${OLDER}', which has other fields; the form of a v1alpha2 spec is ${CURRENT_FORM}`,
    proposedValue: PACKAGE_VARIANT_SET_API,
  }
}
