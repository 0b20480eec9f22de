import { randomBytes } from 'node:crypto';
import type { CheckupView, Trial, TrialAnswer } from '@fleet/contracts/administration';
import { routes } from '@fleet/contracts/routes';
import { Doctor } from '@fleet/observability';
import { SITE_LOOKS, type SiteLooks } from '@fleet/ports';
import { Controller, Inject, Req, UseGuards } from '@nestjs/common';
import { principalOf } from '../../auth/access/principal-of';
import { Handles } from '../../http/handles.decorator';
import { AdminSwitch } from '../../http/admin-switch.guard';
import { noteForAudit } from '../../http/audit-note';
import type { HttpRequest } from '../../http/http-types';

/** Problems of a site, for administrators. */
@Controller()
@UseGuards(AdminSwitch)
export class DoctorController {
  constructor(
    @Inject(Doctor) private readonly doctor: Doctor,
    @Inject(SITE_LOOKS) private readonly looks: SiteLooks,
  ) {}

  @Handles(routes.doctor.look)
  look(): Promise<CheckupView> {
    return this.doctor.look();
  }

  @Handles(routes.doctor.trial)
  async trial(): Promise<TrialAnswer> {
    const trial = await this.looks.trial();
    return trial === undefined ? {} : { trial };
  }

  @Handles(routes.doctor.askTrial)
  async askTrial(@Req() request: HttpRequest): Promise<Trial> {
    const trial = await this.looks.askTrial(randomBytes(4).toString('hex'), principalOf(request).id);
    noteForAudit(request, { object: 'trial', after: { id: trial.id, askedBy: trial.askedBy } });
    return trial;
  }
}
