import { nearKind } from '../kinds/unknown-kinds.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import type { Result } from '../result.ts'
import { quoteText } from '../schema/describe-value.ts'
import { nameFirst } from '../wording.ts'
import { describeRead } from './what-was-read.ts'

const NAMED_OBJECTS = 3

/** A warning that there is no set at all: what was read instead, and what is nearly a set. */
export function noSet(items: readonly KrmObject[]): Result {
  const near = items.filter((item) => nearKind(item) === 'PackageVariantSet').map(describeObject)
  const hint = near.length === 0 ? '' : `; nearly one: ${nameFirst(near, NAMED_OBJECTS)}`
  return {
    severity: 'warning',
    message: `\`items\` must hold a PackageVariantSet; read ${describeRead(items)}${hint}`,
    tags: { rule: 'no-set' },
  }
}

function describeObject({ apiVersion = '', kind = '', name = '' }: KrmObject): string {
  return `${kind} ${quoteText(name)} of ${apiVersion}`
}
