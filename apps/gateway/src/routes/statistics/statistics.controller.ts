import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import { reachOf } from '@fleet/access';
import { statisticsCsv } from '@fleet/api-views';
import { routes } from '@fleet/contracts/routes';
import type { Statistics } from '@fleet/contracts/statistics';
import { STATISTICS, type SessionStatistics } from '@fleet/ports';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import type { HttpReply, HttpRequest } from '../../http/http-types';
import type { Query as QueryValues } from '../../http/read-query';
import { readStatisticsQuery } from './read-statistics-query';

/** Statistics of the visible sessions. */
@Controller()
export class StatisticsController {
  constructor(@Inject(STATISTICS) private readonly figures: SessionStatistics) {}

  @Handles(routes.statistics.statistics)
  async statistics(@Query() query: QueryValues, @Req() request: HttpRequest): Promise<Statistics> {
    const { by, filter } = readStatisticsQuery(query);
    const reach = reachOf(principalOf(request));
    const groups = await this.figures.groups(by, { ...filter, ...(reach !== 'all' && { within: reach }) });
    const { since, until } = filter;
    return {
      by,
      groups,
      ...(since !== undefined && { since: new Date(since).toISOString() }),
      ...(until !== undefined && { until: new Date(until).toISOString() }),
    };
  }

  @Handles(routes.statistics.csv)
  async csv(
    @Query() query: QueryValues,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ): Promise<string> {
    const statistics = await this.statistics(query, request);
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', `attachment; filename="statistics-by-${statistics.by}.csv"`);
    return statisticsCsv(statistics);
  }
}
