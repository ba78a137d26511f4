PRAGMA user_version = 7;
PRAGMA application_id = 0;
BEGIN TRANSACTION;
CREATE TABLE grade (
        hash TEXT PRIMARY KEY,
        version INTEGER NOT NULL,
        number INTEGER NOT NULL,
        shown TEXT NOT NULL
    , figures TEXT NOT NULL DEFAULT '') WITHOUT ROWID;
CREATE TABLE known (
        pack INTEGER NOT NULL,
        number INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash TEXT NOT NULL,
        start_row INTEGER NOT NULL,
        start_column INTEGER NOT NULL,
        lurd TEXT NOT NULL,
        moves INTEGER NOT NULL,
        pushes INTEGER NOT NULL,
        credit TEXT NOT NULL,
        PRIMARY KEY (pack, number, place)
    ) WITHOUT ROWID;
INSERT INTO "known" VALUES(1,1,0,'E70CDFD6C740BB2E7A60193F96EE59AE',3,1,'U',1,1,'from Old Pack');
INSERT INTO "known" VALUES(1,2,0,'BEAA942B4433FA76FF726EF8748EEE8E',4,1,'uU',2,1,'from Old Pack');
CREATE TABLE level (
        pack INTEGER NOT NULL,
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        hash TEXT NOT NULL, exact_id TEXT NOT NULL DEFAULT '', author TEXT NOT NULL DEFAULT '', words TEXT NOT NULL DEFAULT '', width INTEGER NOT NULL DEFAULT 0, height INTEGER NOT NULL DEFAULT 0, boxes INTEGER NOT NULL DEFAULT 0, estimate INTEGER NOT NULL DEFAULT 0, is_sample INTEGER NOT NULL DEFAULT 0, goals INTEGER NOT NULL DEFAULT 0, floor INTEGER NOT NULL DEFAULT 0, kinds TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (pack, number)
    ) WITHOUT ROWID;
INSERT INTO "level" VALUES(1,1,'One','E70CDFD6C740BB2E7A60193F96EE59AE','E84B163E0BE1C35A','A Tester','one
a tester',5,3,1,33,1,1,3,'');
INSERT INTO "level" VALUES(1,2,'Two','BEAA942B4433FA76FF726EF8748EEE8E','624F5740AC64441F','A Tester','two
a tester',6,3,1,31,1,1,4,'');
INSERT INTO "level" VALUES(2,1,'Golden lamp','C466C92D5E7EC071DC56B6ADA161DDA2','84D6E469DD295E05','the sokoterm project','golden lamp
the sokoterm project',7,6,2,44,0,2,17,'');
INSERT INTO "level" VALUES(2,2,'Yellow teacup','F18142315975A3FD5BAFA8162D18AA84','3484C0E589EB1317','the sokoterm project','yellow teacup
the sokoterm project',7,6,2,44,0,2,16,'');
INSERT INTO "level" VALUES(2,3,'Broken bread-bin','CB954985C6DBA694D7E535878E9B0324','3423D755F2898524','the sokoterm project','broken bread-bin
the sokoterm project',8,7,2,44,1,2,18,'');
INSERT INTO "level" VALUES(2,4,'Dusty mirror','C03337DB119F66725FB8BEC39531CF9D','82E1F70D33C5D445','the sokoterm project','dusty mirror
the sokoterm project',8,7,2,43,0,2,21,'');
INSERT INTO "level" VALUES(2,5,'Second toast-rack','E450C02B15A1D8457D82FFB956822A5E','5192A17D3623FC06','the sokoterm project','second toast-rack
the sokoterm project',7,6,2,45,0,2,15,'');
INSERT INTO "level" VALUES(2,6,'Polished door-key','FEC101C369648571E67BB7F879B3FAF3','96F778D6F91F7B78','the sokoterm project','polished door-key
the sokoterm project',8,7,2,44,0,2,19,'');
INSERT INTO "level" VALUES(2,7,'Lucky footstool','E5E8D71F7C50A9D0F6061AB2619F8278','B8E54326295957C1','the sokoterm project','lucky footstool
the sokoterm project',8,6,2,44,1,2,18,'');
INSERT INTO "level" VALUES(2,8,'Frosty chimney','C40D3EF617171E21D46723FAB1C6CFF3','1EDD384DAA9DA77C','the sokoterm project','frosty chimney
the sokoterm project',7,7,3,56,0,3,18,'');
INSERT INTO "level" VALUES(2,9,'Round kettle','E84B48A6D062FDD255778D5B9F86C9A8','A7A3E099BC4DDB17','the sokoterm project','round kettle
the sokoterm project',7,7,2,44,0,2,18,'');
INSERT INTO "level" VALUES(2,10,'Tall window-seat','F76284E88A142C4458B03CBBD31B19F0','76BE5E91B68B1026','the sokoterm project','tall window-seat
the sokoterm project',8,7,2,43,0,2,20,'');
INSERT INTO "level" VALUES(2,11,'Patient curtain','FF0C990E037102CCB8FE2CA16B181B4E','5642EA2D2DC2DDF9','the sokoterm project','patient curtain
the sokoterm project',7,7,3,56,0,3,16,'');
INSERT INTO "level" VALUES(2,12,'Small armchair','EDD5567ADCA652985B4DB9E4856693AC','CE8DCC653916DCBB','the sokoterm project','small armchair
the sokoterm project',8,7,2,43,1,2,20,'');
INSERT INTO "level" VALUES(2,13,'Long pantry','E537472ADD97FC5BE97770C39E912248','9BB6B47F993E4CA7','the sokoterm project','long pantry
the sokoterm project',7,7,3,56,0,3,17,'');
INSERT INTO "level" VALUES(2,14,'Distant parlour','FD039EA374ACF3D0B06B2A489B41A41D','F2AA4235D49502AA','the sokoterm project','distant parlour
the sokoterm project',7,7,2,44,0,2,17,'');
INSERT INTO "level" VALUES(2,15,'Copper cushion','F8549606EDABD1571B1E61285F918BDB','A337A721E4521B4F','the sokoterm project','copper cushion
the sokoterm project',6,7,3,56,0,3,15,'');
INSERT INTO "level" VALUES(2,16,'Proud larder','FF53224DC90DC0BBA348C5589F986437','0B4322CDA2940D96','the sokoterm project','proud larder
the sokoterm project',7,7,2,44,1,2,18,'');
INSERT INTO "level" VALUES(2,17,'Painted mantelpiece','E432D436FBE26C95589C68381CBD1BCB','48DB587247080832','the sokoterm project','painted mantelpiece
the sokoterm project',8,7,2,44,0,2,18,'');
INSERT INTO "level" VALUES(2,18,'Careful biscuit','D79A93EF566C0D8C233B5DE8BBC8487B','E2BB60F6104753A5','the sokoterm project','careful biscuit
the sokoterm project',8,6,2,44,0,2,17,'');
INSERT INTO "level" VALUES(2,19,'Wandering cupboard','C63A68F1330EC04ED635F6C0D828515E','E104FD7BE872FF0F','the sokoterm project','wandering cupboard
the sokoterm project',8,7,3,55,0,3,21,'');
INSERT INTO "level" VALUES(2,20,'Warm matchbox','BCE88B16D455E13E56693D6A7D4BD7E0','ECEACD3A775499EF','the sokoterm project','warm matchbox
the sokoterm project',8,7,3,54,0,3,25,'');
INSERT INTO "level" VALUES(2,21,'Gilded newspaper','DE0A98FAF7731997B17DE466DFAA45E4','D4E1788F22F9D819','the sokoterm project','gilded newspaper
the sokoterm project',7,6,3,56,1,3,15,'');
INSERT INTO "level" VALUES(2,22,'Shaded blanket','F4281DACF2EFD7B9BCC87246D3F62346','CFBFCEF70C09A60D','the sokoterm project','shaded blanket
the sokoterm project',9,7,4,63,0,4,23,'');
INSERT INTO "level" VALUES(2,23,'Lost broom','E9A100AA44C79794EC5BEB2F2C35C380','5FB37FF0BB86A5A1','the sokoterm project','lost broom
the sokoterm project',8,6,2,44,0,2,16,'');
INSERT INTO "level" VALUES(2,24,'Stubborn sugar-bowl','ED883DF732F2F1732DEAF08D0FDDE21B','C5B70F4C8E25FBC8','the sokoterm project','stubborn sugar-bowl
the sokoterm project',6,7,3,56,0,3,18,'');
INSERT INTO "level" VALUES(2,25,'Grey jam-jar','E63FEC44CD4280C2F8C1A334D0F5DA04','9ADF3EAF128E5358','the sokoterm project','grey jam-jar
the sokoterm project',7,7,3,56,1,3,18,'');
INSERT INTO "level" VALUES(2,26,'Worn bookshelf','F02616FBFD3E2835B669B5D19B246756','42558C8DBD35B270','the sokoterm project','worn bookshelf
the sokoterm project',8,7,3,55,0,3,19,'');
INSERT INTO "level" VALUES(2,27,'Tiny wireless','DC5A24CE5F49C5B2BCF7421ABA530D17','FD895A5CA1968989','the sokoterm project','tiny wireless
the sokoterm project',7,7,4,63,0,4,22,'');
INSERT INTO "level" VALUES(2,28,'Mended clock','F83763875E1E7971B7CFDFF949CD9C2F','835C0E0C901D830F','the sokoterm project','mended clock
the sokoterm project',9,7,4,62,0,4,27,'');
INSERT INTO "level" VALUES(2,29,'Pale sideboard','FA0D390555A9CD17F935E8892EB4DA95','E4DEF994521D18AC','the sokoterm project','pale sideboard
the sokoterm project',7,7,4,64,1,4,17,'');
INSERT INTO "level" VALUES(2,30,'Odd staircase','F5AF541AFE00A85999DE595FA4BB3F12','03AA2CD23370B103','the sokoterm project','odd staircase
the sokoterm project',8,7,4,63,0,4,20,'');
INSERT INTO "level" VALUES(2,31,'Neat hallway','FEA4436767C2C27D9F23F8B308C57EF6','619693F8C4984B9A','the sokoterm project','neat hallway
the sokoterm project',8,6,4,64,0,4,19,'');
INSERT INTO "level" VALUES(2,32,'Crooked spoon','FBCB85FA6E28D77C0AE5C310B089CF62','BB45A66D58BD927D','the sokoterm project','crooked spoon
the sokoterm project',8,7,3,54,0,3,23,'');
INSERT INTO "level" VALUES(2,33,'Amber teapot','ED70A94B6E68D49A81A2323A36499881','49549CF7A81613A5','the sokoterm project','amber teapot
the sokoterm project',7,6,4,64,0,4,17,'');
INSERT INTO "level" VALUES(2,34,'Quiet letterbox','E0C987DF207B4DEFF7F31A682ACC97EF','4A152C62FC848F3D','the sokoterm project','quiet letterbox
the sokoterm project',8,7,3,55,1,3,22,'');
INSERT INTO "level" VALUES(2,35,'Rusty needle','FEE6BFEE074ABAA7C5A38FAF6E5CC17E','E02AA8FFF247BE84','the sokoterm project','rusty needle
the sokoterm project',9,6,4,63,0,4,23,'');
INSERT INTO "level" VALUES(2,36,'Half-open saucepan','F38360639590ABBEDCC9D3D4AEE8311A','E2FEC9603660CDB7','the sokoterm project','half-open saucepan
the sokoterm project',8,6,3,56,0,3,16,'');
INSERT INTO "level" VALUES(2,37,'Folded drawer','CF937933EC4D87348196423B64744F47','96362C257C501764','the sokoterm project','folded drawer
the sokoterm project',8,6,3,56,0,3,18,'');
INSERT INTO "level" VALUES(2,38,'Curious fireplace','F6CA0E315BA7450C3AFAE4E706837160','6FE8071031C13463','the sokoterm project','curious fireplace
the sokoterm project',8,8,5,68,1,5,27,'');
INSERT INTO "level" VALUES(2,39,'Foreign lantern','AD74291CAAF26A850624935226EE60AB','9F9003911B1F54FC','the sokoterm project','foreign lantern
the sokoterm project',9,7,4,63,0,4,23,'');
INSERT INTO "level" VALUES(2,40,'Uneven candle','FF00B2BD294914F8BAD3C175CE2587D1','8B3CE1CFCAB42EDB','the sokoterm project','uneven candle
the sokoterm project',8,7,3,55,0,3,21,'');
CREATE TABLE pack (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        time INTEGER NOT NULL,
        reader TEXT NOT NULL,
        title TEXT NOT NULL,
        levels INTEGER NOT NULL,
        unreadable INTEGER NOT NULL
    , author TEXT NOT NULL DEFAULT '', words TEXT NOT NULL DEFAULT '');
INSERT INTO "pack" VALUES(1,'{data}/packs/own.txt',121,1795744120059528468,'0.1.0-4','Old Pack',2,0,'A Tester','old pack
own');
INSERT INTO "pack" VALUES(2,'bundled:one-evening.txt',11841,1795743771714737498,'0.1.0-4','One Evening',40,0,'the sokoterm project','one evening
one-evening');
CREATE INDEX level_by_hash ON level (hash);
CREATE INDEX known_by_hash ON known (hash);
CREATE INDEX level_of_sample ON level (pack) WHERE is_sample;
CREATE INDEX level_by_exact_id ON level (exact_id);
COMMIT;
