import { Button, Group, Switch, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { plainLine } from '@fleet/session-report';
import { Listing } from '../../../parts/listing';
import { qualityTexts } from '../../../texts/quality';
import { pointParameter, type Region, type Torsion } from './ramachandran';

const { rama } = qualityTexts;
const order: Readonly<Record<Region, number>> = { outlier: 0, allowed: 1, favoured: 2 };
const colours: Readonly<Record<Region, string>> = { outlier: 'red', allowed: 'yellow', favoured: 'inherit' };
/** Rows rendered at once. */
const atOnce = 100;

const Rows = ({ id, torsions }: { readonly id: string; readonly torsions: readonly Torsion[] }): ReactElement => (
  <Listing isDense height="40vh" testId="torsions" columns={Object.values(rama.columns)}>
    {torsions.map((torsion, at) => {
      const name = plainLine(torsion.name);
      return (
        <Table.Tr key={at} data-region={torsion.region}>
          <Table.Th scope="row">
            <Link
              to="/sessions/$id"
              params={{ id }}
              search={{ view: '3d', at: pointParameter(torsion) }}
              aria-label={rama.show(name)}
            >
              {name}
            </Link>
          </Table.Th>
          <Table.Td>{rama.classes[torsion.kind]}</Table.Td>
          <Table.Td className="number">{rama.degrees(torsion.phi)}</Table.Td>
          <Table.Td className="number">{rama.degrees(torsion.psi)}</Table.Td>
          <Table.Td c={colours[torsion.region]}>{rama.regions[torsion.region]}</Table.Td>
        </Table.Tr>
      );
    })}
  </Listing>
);

/** The plot as a list: outliers first, then allowed residues, each with a link to 3D; the others on request. */
export const TorsionList = ({
  id,
  torsions,
}: {
  readonly id: string;
  readonly torsions: readonly Torsion[];
}): ReactElement => {
  const [hasAll, setHasAll] = useState(false);
  const [shown, setShown] = useState(atOnce);
  const listed = torsions
    .filter(({ region }) => hasAll || region !== 'favoured')
    .toSorted((one, other) => order[one.region] - order[other.region]);
  const more = Math.min(atOnce, listed.length - shown);
  return (
    <>
      <Group gap={20} mt="sm">
        <h3>
          {rama.listed} <span className="quiet small">{listed.length}</span>
        </h3>
        <Switch
          size="sm"
          label={rama.all}
          checked={hasAll}
          onChange={({ currentTarget: { checked } }) => {
            setHasAll(checked);
            setShown(atOnce);
          }}
        />
      </Group>
      {listed.length === 0 ? (
        <p className="quiet">{rama.allFavoured}</p>
      ) : (
        <Rows id={id} torsions={listed.slice(0, shown)} />
      )}
      {more > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => setShown(shown + atOnce)}>
          {rama.more(more)}
        </Button>
      )}
    </>
  );
};
