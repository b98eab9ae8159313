/*
 * What Kubernetes takes for a name and a label, from apimachinery's validation.go: the runner's own reading, so that a fault in the
 * product's is seen.
 */

const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const LABEL_TEXT = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/
const LONGEST_SUBDOMAIN = 253

/** Returns true for the name of an object. */
export function isObjectName(text: string): boolean {
  return text.length <= LONGEST_SUBDOMAIN && SUBDOMAIN.test(text)
}

/** Returns true for `KEY` and `PREFIX/KEY`. */
export function isKeyOfLabel(text: string): boolean {
  const [prefix, key, ...more] = text.includes('/') ? text.split('/') : [undefined, text]
  return more.length === 0 && LABEL_TEXT.test(key ?? '') && (prefix === undefined || isObjectName(prefix))
}

export function isValueOfLabel(text: string): boolean {
  return text === '' || LABEL_TEXT.test(text)
}

/** A requirement of a label selector, as it is written. */
export interface WrittenRequirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

/** Returns true if labels fulfil a requirement: `NotIn` is fulfilled without the label too. */
export function fulfils(labels: ReadonlyMap<string, string>, { key, operator, values }: WrittenRequirement): boolean {
  const value = labels.get(key)
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  const isAmong = value !== undefined && values.includes(value)
  return operator === 'In' ? isAmong : !isAmong
}
