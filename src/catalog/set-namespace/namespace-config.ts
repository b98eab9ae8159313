import type { FieldPath } from '../../field-path.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { requiredText } from '../catalog-config.ts'

/** Returns the namespace: `namespace` of a SetNamespace, `data.namespace` of a ConfigMap, `data.name` of the package context. */
export function configuredNamespace(config: KrmObject): string {
  if (config.kind !== 'ConfigMap') return requiredText(config, ['namespace'])
  const byName = config.name === 'kptfile.kpt.dev' && !hasText(config, ['data', 'namespace'])
  return requiredText(config, byName ? ['data', 'name'] : ['data', 'namespace'])
}

function hasText(config: KrmObject, path: FieldPath): boolean {
  const value = config.get(path)
  return value !== undefined && value !== ''
}
