import { Module, type DynamicModule } from '@nestjs/common';
import { loadSections, type SectionClass } from './load-config';
import type { Environment } from './read-variable';

const LOADED_SECTIONS = Symbol('LoadedSections');

/** Makes configuration sections injectable by their class. All are read together when the application starts. */
@Module({})
export class ConfigModule {
  /**
   * @param sections every section that the application needs; each becomes a provider under its own class
   * @param env the variables; by default those of the process
   * @throws ConfigError while the application is created, with the problems of all sections
   */
  static forRoot(sections: readonly SectionClass[], env?: Environment): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: LOADED_SECTIONS, useFactory: (): readonly object[] => loadSections(sections, env) },
        ...sections.map((section, index) => ({
          provide: section,
          useFactory: (loaded: readonly object[]): object | undefined => loaded[index],
          inject: [LOADED_SECTIONS],
        })),
      ],
      exports: [...sections],
    };
  }
}
