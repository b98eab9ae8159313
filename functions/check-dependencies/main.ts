import { optimizeLate } from '../../src/late-optimization.ts'
import { main } from '../../src/run.ts'
import { checkDependencies } from './check-dependencies.ts'

optimizeLate()
await main(checkDependencies)
