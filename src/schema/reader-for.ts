import type { KrmObject } from '../resource-list/krm-object.ts'
import { FunctionError } from '../result.ts'
import { quoteNames, quoteText } from './describe-value.ts'
import { faultToResult } from './fault.ts'

/**
 * Returns the reader for the kind of a functionConfig.
 *
 * @param readers  the readers of all kinds that the function accepts, by kind
 * @param whose    the name of the function, for messages
 * @throws FunctionError  if no reader has the kind
 */
export function readerFor<Reader>(config: KrmObject, readers: Readonly<Record<string, Reader>>, whose = 'this function'): Reader {
  const { kind = '' } = config
  const reader = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (reader !== undefined) return reader
  const message = `must be one of ${quoteNames(Object.keys(readers))} in a functionConfig of ${whose}, got ${quoteText(kind)}`
  throw new FunctionError([faultToResult(config, { severity: 'error', rule: 'function-config', path: ['kind'], message })])
}
