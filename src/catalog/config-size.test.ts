import { expect, test } from 'vitest'
import { CATALOG, evaluateCatalogFunction } from './catalog.ts'

const KEYS = Array.from({ length: 150_000 }, (_, index) => `    key-${index}: v\n`).join('')
const LIST = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a}
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: config}
  data:
${KEYS}`

/** Functions that read no functionConfig. */
const WITHOUT_CONFIG = ['list-setters', 'remove-local-config-resources']
/** A function whose functionConfig is no ConfigMap: the kind alone is refused. */
const OF_OTHER_KIND = ['apply-replacements']

test.each(
  CATALOG.filter(({ name }) => ![...WITHOUT_CONFIG, ...OF_OTHER_KIND].includes(name)).flatMap((fn) =>
    fn.versions.map((version) => [fn.name, version, fn] as const),
  ),
)('%s %s refuses a functionConfig that is too long before it reads the values', (_, version, fn) => {
  expect(evaluateCatalogFunction(fn, version, LIST)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('a functionConfig must have at most 2000000 characters'),
  })
})
