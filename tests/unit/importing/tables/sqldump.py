"""Small table dumps in the form in which Wikimedia publishes them."""

from __future__ import annotations

_HEAD = """\
/*M!999999\\- enable the sandbox mode */
-- MariaDB dump 10.19  Distrib 10.11.13-MariaDB, for debian-linux-gnu (x86_64)
--
-- Host: db1206    Database: testwiki
-- ------------------------------------------------------
-- Server version\t10.11.13-MariaDB-log

/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;

--
-- Table structure for table `{name}`
--

DROP TABLE IF EXISTS `{name}`;
/*!40101 SET @saved_cs_client     = @@character_set_client */;
CREATE TABLE `{name}` (
{columns},
  PRIMARY KEY (`{first}`),
  KEY `a_key` (`{first}`,`{last}`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=binary;
/*!40101 SET character_set_client = @saved_cs_client */;

--
-- Dumping data for table `{name}`
--

/*!40000 ALTER TABLE `{name}` DISABLE KEYS */;
"""
_TAIL = """\
/*!40000 ALTER TABLE `{name}` ENABLE KEYS */;
/*!40103 SET TIME_ZONE=@OLD_TIME_ZONE */;

/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
-- Dump completed on 2026-11-01 12:00:00
"""


def sql_dump(name: str, columns: str, *statements: str) -> bytes:
    """A dump of a table; each of ``statements`` is the rows of one INSERT, with parentheses."""
    names = columns.split()
    lines = ",\n".join(f"  `{column}` int(8) unsigned NOT NULL DEFAULT 0" for column in names)
    inserts = "".join(f"INSERT INTO `{name}` VALUES\n{rows};\n" for rows in statements)
    head = _HEAD.format(name=name, columns=lines, first=names[0], last=names[-1])
    return (head + inserts + _TAIL.format(name=name)).encode()


PAGE = (
    "page_id page_namespace page_title page_is_redirect page_is_new page_random page_touched"
    " page_links_updated page_latest page_len page_content_model page_lang"
)


def page_rows(*rows: tuple[int, int, str]) -> str:
    """Return rows of the page table: id, namespace, title in SQL's notation."""
    return ",".join(
        f"({number},{ns},'{title}',0,0,0.{number},'20260101000000','20260101000001',{number},10,"
        "'wikitext',NULL)"
        for number, ns, title in rows
    )
