import { beforeAll, test } from 'vitest'
import { CONFIG_ATTACKS } from './config-attacks.ts'
import { buildRunner, expectBounded } from './table.ts'

let runner = ''
beforeAll(async () => {
  runner = await buildRunner('attacks-config')
})

test.each(CONFIG_ATTACKS)('$what', (attack) => {
  expectBounded(runner, attack)
})
