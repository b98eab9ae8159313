import { main } from '../../src/run.ts'
import { injectConfig } from './inject-config.ts'

await main(injectConfig)
