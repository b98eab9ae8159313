import { beforeAll, test } from 'vitest'
import { NAMES } from './names.ts'
import { buildRunner, expectBounded } from './table.ts'

let runner = ''
beforeAll(async () => {
  runner = await buildRunner('attacks-names')
})

test.each(NAMES)('$what', (attack) => {
  expectBounded(runner, attack)
})
